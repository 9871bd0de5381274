"""Tests of the lists of published designs and named protocols."""

import pytest

pytestmark = pytest.mark.django_db


def test_presets_are_those_that_an_upload_takes(api):
    listed = {each["name"]: each for each in api.client.get("/api/v1/presets/").json()}

    chosen = listed["flickr8k-expert"]
    assert (chosen["kind"], chosen["design"]["question"]) == ("rating", "How well does the caption describe the image?")
    assert [point["value"] for point in chosen["design"]["scale"]] == [1.0, 2.0, 3.0, 4.0]
    assert "Hodosh" in chosen["source"]


def test_protocols_say_what_they_choose_and_which_studies_they_are_for(api):
    listed = {each["name"]: each for each in api.client.get("/api/v1/protocols/").json()}

    assert listed["pascal-50s@1"]["kinds"] == ["pairwise"]
    expert = listed["flickr8k-expert@1"]
    assert expert["signature"] == (
        "flickr8k-expert@1|rows:drop-own-references|refs:all|ratings:each|level:item|coef:kendall-c"
    )
    assert "rating" in expert["kinds"]
    assert "pairwise" not in expert["kinds"]

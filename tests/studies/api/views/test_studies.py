"""Tests of the title, the protocol, and what is missing to open a study."""

import pytest

from studies.enums import StudyState
from studies.models import AuditEntry, Study
from tests.factories.studies import NOW, make_design, make_study, make_user

pytestmark = pytest.mark.django_db


def test_title_and_protocol_are_changed(api, study):
    response = api.send("patch", "", {"title": "Better", "protocol": "flickr8k-cf@1"})

    assert response.status_code == 200
    assert [response.json()["study"][name] for name in ("title", "protocol")] == ["Better", "flickr8k-cf@1"]
    assert AuditEntry.objects.get(action="renamed").interface == "api"


def test_a_protocol_for_another_kind_is_refused(api):
    response = api.send("patch", "", {"protocol": "pascal-50s@1"})

    assert response.status_code == 400
    assert response.json()["detail"] == "study study: must be a protocol for ratings, got pascal-50s@1"


def test_what_is_missing_is_told(api, study):
    assert api.get("missing/").json() == {"missing": []}

    study.versions.update(design=make_design(consent="").to_json())

    assert api.get("missing/").json() == {"missing": ["consent text", "scale of two points or more"]}


def test_raters_link_is_told_while_the_study_is_open(api, study):
    draft = api.get("").json()
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, started_at=NOW)
    opened = api.get("").json()

    assert (draft["link"], opened["link"]) == (None, f"http://testserver/r/{study.join_token}/")
    assert api.client.get(draft["preview"]).status_code == 200


def test_name_of_another_person_is_numbered_and_an_own_one_refused(api, study):
    make_study("taken", owner=make_user("somebody"))
    row = {"image": "a", "candidate": "A dog.", "anchor": "A hound."}
    given = {"kind": "rating", "design": {}, "items": [row]}

    numbered = api.client.post("/api/v1/studies/", {"name": "taken", **given}, content_type="application/json")
    refused = api.client.post("/api/v1/studies/", {"name": "study", **given}, content_type="application/json")

    assert (numbered.status_code, numbered.json()["study"]["name"]) == (201, "taken-2")
    assert refused.status_code == 400
    assert refused.json()["detail"] == "the name: must not be the name of another of your studies, got 'study'"


def test_without_a_name_one_is_made_from_the_title(api):
    make_study("beach-test", owner=make_user("somebody"))
    row = {"image": "a", "candidate": "A dog.", "anchor": "A hound."}
    given = {"kind": "rating", "design": {}, "items": [row]}
    judged = {"rows": [{"image": "a", "system": "m", "candidate": "A dog.", "rater": "r", "value": 1}], "scale": "1-2"}

    made = api.client.post("/api/v1/studies/", {"title": "Beach test", **given}, content_type="application/json")
    nameless = api.client.post("/api/v1/studies/", given, content_type="application/json")
    imported = [
        api.client.post("/api/v1/imports/", body, content_type="application/json").json()["study"]["name"]
        for body in (judged, judged, {"name": "beach-test", **judged})
    ]

    assert (made.json()["study"]["name"], made.json()["study"]["title"]) == ("beach-test-2", "Beach test")
    assert nameless.json()["detail"] == "the title: must not be empty if there is no name"
    assert imported == ["import", "import-2", "beach-test-3"]

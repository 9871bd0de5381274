"""Tests of the title, the protocol, and what is missing to open a study."""

import pytest

from studies.enums import StudyState
from studies.models import AuditEntry, Study
from tests.factories.studies import NOW, make_design

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

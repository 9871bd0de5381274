"""Title, protocol, and what is missing to open a study."""

import pytest

from studies.models import AuditEntry
from tests.factories.studies import make_design

pytestmark = pytest.mark.django_db


def test_title_and_protocol_are_changed(api, study):
    response = api.send("patch", "", {"title": "Better", "protocol": "flickr8k-cf@1"})

    assert response.status_code == 200
    assert [response.json()["study"][name] for name in ("title", "protocol")] == ["Better", "flickr8k-cf@1"]
    assert AuditEntry.objects.get(action="renamed").door == "api"


def test_a_protocol_for_another_kind_is_refused(api):
    response = api.send("patch", "", {"protocol": "pascal-50s@1"})

    assert response.status_code == 400
    assert response.json()["detail"] == "study study: must be a protocol for ratings, got pascal-50s@1"


def test_what_is_missing_is_told(api, study):
    assert api.get("missing/").json() == {"missing": []}

    study.versions.update(design=make_design(consent="").to_json())

    assert api.get("missing/").json() == {"missing": ["consent text", "scale of two points or more"]}

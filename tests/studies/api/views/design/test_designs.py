"""Tests of new versions of a design by the API."""

import pytest
from drf_spectacular.generators import SchemaGenerator

from studies.design.study_design import LANGUAGES, StudyDesign
from studies.design.versions import load_newest_version
from studies.models import Study, StudyVersion

pytestmark = pytest.mark.django_db


def test_language_of_captions_is_changed(api, study):
    Study.objects.filter(pk=study.pk).update(started_at=None)

    response = api.send("post", "versions/", {"changes": {"language": "zh-hans"}})

    assert (response.status_code, response.json()["design"]["language"]) == (201, "zh-hans")
    assert StudyDesign.from_json(load_newest_version(study).design).language_name == "Simplified Chinese"


def test_unknown_language_is_refused(api, study):
    response = api.send("post", "versions/", {"changes": {"language": "xx"}})

    assert response.status_code == 400
    assert response.json()["detail"].startswith("the changes, field language: must be empty or one of af, ar, ")
    assert StudyVersion.objects.filter(study=study).count() == 1


def test_schema_lists_the_languages():
    schema = SchemaGenerator().get_schema(request=None, public=True)
    changes = schema["components"]["schemas"]["NewDesignRequest"]["properties"]["changes"]

    assert changes["properties"]["language"]["enum"] == ["", *LANGUAGES]

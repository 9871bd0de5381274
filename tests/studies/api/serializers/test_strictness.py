"""Tests that unknown fields anywhere in a request are rejected with their path, as stated in the schema."""

import pytest
from drf_spectacular.generators import SchemaGenerator

from studies.models import Study, StudyVersion
from tests.factories.studies import make_user
from tests.studies.api.views.conftest import Asker
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db

DESIGN = {"question": "How well?", "scale": ["Bad", "Good"]}
ROW = {"image": "one", "candidate": "A dog.", "anchor": "A dog runs."}
JUDGED = [{"image": "one", "system": "first", "candidate": "A dog.", "value": value} for value in (1, 2)]
DRAFT = {"name": "draft", "kind": "rating", "design": DESIGN, "items": [ROW]}


@pytest.fixture
def api(client):
    study = make_scored_study(owner=make_user("owner"))
    client.force_login(study.owner)
    return Asker(client)


@pytest.mark.parametrize(
    ("address", "data", "field"),
    [
        ("plan/", {"what": "preference", "assumptions": {"share": 0.6, "tis": 0.1}}, "assumptions.tis"),
        ("plan/", {"what": "preference", "assumptions": {"share": 0.6, "raters": 3}}, "assumptions.raters"),
        ("versions/", {"changes": {"preset": "coco-m3"}}, "preset"),
        ("versions/", {"changes": {"pay": {"rewrd": 1}}}, "pay.rewrd"),
        ("clone/", {"name": "again", "changes": {"stopping_rule": {"lok": 1}}}, "stopping_rule.lok"),
        ("clone/", {"name": "again", "changes": {"scale": ["a", {"value": 2, "label": "b", "x": 1}]}}, "scale[2].x"),
        ("../", {**DRAFT, "design": {**DESIGN, "pay": {"rewrd": 1}}}, "pay.rewrd"),
        ("../../imports/", {"name": "judged", "rows": [JUDGED[0], {**JUDGED[1], "raterr": "ann"}]}, "raterr"),
    ],
)
def test_a_field_within_another_is_refused_with_its_path(api, address, data, field):
    answer = _send(api, address, data)

    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["field"]) == (400, field)
    assert error["message"].startswith(("There is no such field; the fields are ", "is not a field; the fields are "))
    assert (Study.objects.count(), StudyVersion.objects.count()) == (1, 1)


def test_a_row_that_is_wrong_is_named(api):
    answer = _send(api, "../../imports/", {"name": "judged", "rows": [JUDGED[0], {**JUDGED[1], "raterr": "ann"}]})

    (error,) = answer.json()["errors"]
    assert error["record"] == "line 2"


def test_a_column_of_what_is_judged_is_refused(api):
    answer = _send(api, "../", {**DRAFT, "items": [{**ROW, "ancor": "A dog."}]})

    assert (answer.status_code, answer.json()["errors"][0]["got"]) == (400, "'ancor'")


def _send(api, address, data):
    place = {"../": "/api/v1/studies/", "../../imports/": "/api/v1/imports/"}.get(address)
    if place is None:
        return api.send("post", address, data)
    return api.client.post(place, data, content_type="application/json")


def test_the_schema_has_no_other_fields_either():
    serializers = _list_serializers()

    assert len(serializers) >= 18
    assert [name for name, serializer in serializers.items() if serializer["additionalProperties"] is not False] == []
    design = serializers["NewStudyRequest"]["properties"]["design"]
    parts = (serializers["NewImportRequest"]["properties"]["rows"]["items"], design, design["properties"]["pay"])
    assert [part["additionalProperties"] for part in parts] == [False, False, False]
    assert "preset" not in serializers["NewDesignRequest"]["properties"]["changes"]["properties"]
    assumed = serializers["PlanQuestionRequest"]["properties"]["assumptions"]
    assert (assumed["additionalProperties"], "raters" in assumed["properties"]) == (False, False)


def _list_serializers():
    """Return the description of every JSON body, by the name of its serializer, or by its address if it has none."""
    schema = SchemaGenerator().get_schema(public=True)
    bodies = [
        (address, operation["requestBody"]["content"].get("application/json", {}).get("schema", {}))
        for address, methods in schema["paths"].items()
        for operation in methods.values()
        if "requestBody" in operation
    ]
    found = {}
    for address, body in bodies:
        if name := body.get("$ref", "").rpartition("/")[2]:
            found[name] = schema["components"]["schemas"][name]
        # A file of results is a body of JSON as well, which is checked in the background.
        elif body and body.get("format") != "binary":
            found[address] = body
    return found

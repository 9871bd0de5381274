"""Tests that exports of the API equal those of the pages, and are recorded."""

import json

import pytest

from studies.access.audit import Actor
from studies.analysis.results import load_results
from studies.enums import Interface
from studies.models import AuditEntry, Candidate, Image, Item, System, Task
from studies.publishing.exporting.files import FILES, export_file
from studies.publishing.exports import write_results_json
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


def read(parts):
    return b"".join(part.encode() if isinstance(part, str) else part for part in parts)


@pytest.mark.parametrize("name", [f"{part}.{form}" for part, form in FILES if form not in ("zip", "parquet")])
def test_exports_are_those_of_the_page(api, study, name):
    part, _, form = name.partition(".")

    response = api.get(f"exports/{name}", system="first")

    actor = Actor(study.owner, Interface.PAGE)
    same = export_file(study, part=part, file_format=form, system="first", actor=actor, now=NOW)
    assert read(response.streaming_content) == read(same.parts)
    assert AuditEntry.objects.filter(action="exported", interface="api").get().details == {"file": name}


@pytest.mark.parametrize("part", ["judgments", "scores"])
def test_parquet(api, part):
    assert read(api.get(f"exports/{part}.parquet").streaming_content)[:4] == b"PAR1"


def test_candidates_are_coco_results(api):
    found = json.loads(read(api.get("exports/candidates.json", system="first").streaming_content))

    assert {frozenset(each) for each in found} == {frozenset({"image_id", "caption"})}


def test_what_fits_no_segment_is_refused(api, study):
    System.objects.create(dataset=study.dataset, name="third")
    task = Task.objects.create(study=study, position=9)
    image = Image.objects.create(dataset=study.dataset, key="image-9")
    lonely = Candidate.objects.create(
        dataset=study.dataset, image=image, system=System.objects.get(name="third"), key="third-9", text="A dog."
    )
    Item.objects.create(task=task, position=0, key="item-9", image=image, candidate=lonely)

    response = api.get("exports/mt-metrics-eval.zip")

    assert response.status_code == 409
    assert response.json()["detail"].startswith("no image has a caption by every system")


def test_there_is_no_such_export(api):
    response = api.get("exports/judgments.docx")

    assert response.status_code == 404
    assert response.json()["detail"].startswith("There is no export judgments.docx; available are judgments.jsonl, ")


def test_results(api, study):
    response = api.get("results.json")

    assert read(response.streaming_content) == read(write_results_json(load_results(study)))
    assert api.get("results.docx").status_code == 404


@pytest.mark.parametrize("name", ["nobody"])
def test_candidates_of_a_system_that_is_not_there_are_refused(api, name):
    answer = api.get("exports/candidates.json", system=name)

    assert (answer.status_code, answer.json()["detail"]) == (409, f"Study study has no system {name!r}")
    assert AuditEntry.objects.filter(action="exported").count() == 0

"""Tests that the ranking of systems is the same as of the command, and its files the same as of the page."""

import json

import pytest
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from studies.analysis.systems.files import list_records
from studies.analysis.systems.ranking import rank_study
from studies.enums import TaskKind
from tests.factories.studies import make_study, make_user
from tests.studies.analysis.ranked import make_ranked_study
from tests.studies.api.views.conftest import Asker

pytestmark = pytest.mark.django_db


def own(client, study):
    study.owner = make_user("owner")
    study.save()
    client.force_login(study.owner)
    return Asker(client)


def test_numbers_are_those_of_the_command(client):
    study = make_ranked_study("study", kind=TaskKind.PAIRWISE)
    api = own(client, study)

    found = api.send("post", "systems/", {"resamples": 50, "correction": "bh", "seed": 4}).json()

    expected = list_records(rank_study(study, resamples=50, correction="bh", seed=4))
    assert found["rankings"][0]["systems"] == list(expected["rankings"][0]["systems"])
    assert found["rankings"][0]["signature"].endswith("|n:50|correction:bh|alpha:0.05|seed:4")
    assert [each["title"] for each in found["rankings"]] == ["Bradley-Terry strength", "share of wins"]


def test_files_are_those_of_the_page(client):
    api = own(client, make_ranked_study("study"))

    found = api.get("systems/table.csv")

    assert found.content == client.get("/studies/study/systems/table.csv?download=1").content
    assert api.get("systems/table.pdf").status_code == 404
    assert api.get("systems/forest.svg", place=1).status_code == 404


@pytest.mark.parametrize(
    ("body", "told"), [({"resamples": 1}, "resamples"), ({"correction": "best"}, "correction"), ({"x": 1}, "x")]
)
def test_wrong_options_are_refused(client, body, told):
    api = own(client, make_ranked_study("study", n_images=2))

    answer = api.send("post", "systems/", body)

    assert answer.status_code == 400
    assert told in answer.content.decode()


def test_a_study_without_judgments_is_refused_with_the_reason(client):
    api = own(client, make_study("study"))

    answer = api.send("post", "systems/", {})

    assert answer.status_code in (400, 409)
    assert "study study has no judgments yet" in answer.content.decode()


def test_many_resamples_are_computed_by_a_job(client):
    study = make_ranked_study("study")
    api = own(client, study)
    body = {"resamples": 1001, "seed": 2}

    first, again = api.send("post", "systems/", body), api.send("post", "systems/", body)
    run_waiting_jobs(now=timezone.now)
    found = api.send("post", "systems/", body)

    assert (first.status_code, again.status_code, found.status_code) == (202, 202, 200)
    assert first.json()["state"] == "waiting"
    assert found.json()["rankings"] == json.loads(json.dumps(list_records(rank_study(study, **body))["rankings"]))

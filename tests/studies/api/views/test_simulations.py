"""Tests of simulations: requested, rejected, read, and converted to a study."""

import pytest
from django.test import Client
from django.utils import timezone

from studies.access.audit import Actor
from studies.access.tokens import make_token
from studies.enums import Interface, MemberRole, StudyState
from studies.models import AuditEntry, Judgment, Simulation, Study
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.studies.uploads import run_jobs
from tests.studies.views.test_simulation import REPORT, keep, own

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/api/v1/studies/study/simulations/"


@pytest.fixture
def study(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return own(make_designed_study(task_seconds=10))


@pytest.fixture
def owner(client, study):
    client.force_login(study.owner)
    return client


def ask(client, address=ADDRESS, **given):
    return client.post(address, given, content_type="application/json")


def test_a_simulation_waits_for_a_worker_with_what_was_chosen(owner, study):
    response = ask(owner, raters=5, seed=7)

    assert response.status_code == 202
    found = response.json()
    assert [found[name] for name in ("panel", "n_raters", "seed", "state")] == ["link", 5, 7, "waiting"]
    assert (found["report"], found["trial"], found["made_by"]) == (None, None, study.owner.username)
    assert owner.get(f"{ADDRESS}{found['id']}/").json() == found
    assert owner.get(ADDRESS).json()["results"] == [found]
    second = ask(owner)
    assert (second.status_code, second.json()["detail"]) == (
        409,
        "A simulation of this study is in progress; wait until it ends.",
    )


@pytest.mark.parametrize(
    ("given", "field"),
    [({"raters": 0}, "raters"), ({"raters": 201}, "raters"), ({"panel": "x"}, "panel")],
)
def test_nonsense_is_refused(owner, given, field):
    response = ask(owner, **given)

    assert (response.status_code, Simulation.objects.count()) == (400, 0)
    assert [error["field"] for error in response.json()["errors"]] == [field]


def test_only_a_draft_is_simulated(client, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    client.force_login(own(make_open_study()).owner)

    response = ask(client)

    assert response.status_code == 409
    assert response.json()["detail"].startswith("Only drafts can be simulated")


def test_what_came_of_it_becomes_a_study_by_a_login_alone(owner, study):
    simulation = keep(study)
    actor = Actor(study.owner, Interface.PAGE)
    made = make_token(study, name="script", role=MemberRole.EDITOR, actor=actor, now=timezone.now())
    program = Client(headers={"authorization": f"Bearer {made.secret}"})
    address = f"{ADDRESS}{simulation.pk}/"

    assert program.get(address).json()["report"] == REPORT
    assert ask(program, f"{address}study/").status_code == 403
    refused = ask(owner, f"{address}study/")
    assert (refused.status_code, Study.objects.count()) == (409, 1)
    assert refused.json()["detail"].startswith("This simulation has no judgments")


@pytest.mark.slow
def test_a_worker_runs_a_simulation_that_becomes_a_study(owner, study):
    asked = ask(owner, raters=5, seed=1).json()

    run_jobs()

    found = owner.get(f"{ADDRESS}{asked['id']}/").json()
    assert (found["state"], found["problem"], found["report"]["problems"]) == ("done", "", [])
    assert (found["report"]["n_raters"], Judgment.objects.count()) == (5, 0)
    made = ask(owner, f"{ADDRESS}{asked['id']}/study/")
    again = ask(owner, f"{ADDRESS}{asked['id']}/study/")
    assert (made.status_code, made.json()["study"]["state"]) == (201, StudyState.CLOSED)
    assert made.json()["n_judgments"] == found["report"]["n_judgments"]
    name = made.json()["study"]["name"]
    assert again.json()["study"]["name"] == owner.get(f"{ADDRESS}{asked['id']}/").json()["trial"] == name
    assert {entry.interface for entry in AuditEntry.objects.filter(study_name=name)} == {Interface.API}

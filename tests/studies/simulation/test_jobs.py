"""Tests of simulations as jobs in a separate lane, which fail with the reason if they end without a report."""

from datetime import timedelta

import pytest

from jobs.models import Job
from jobs.requests import cancel_job
from jobs.worker.claiming import DEAD_AFTER, claim_job, lose_dead_jobs
from studies.access.audit import Actor
from studies.enums import Interface, WorkState
from studies.models import Simulation
from studies.simulation.jobs import SIMULATE, ask_for_simulation
from studies.simulation.trials import CannotSimulate
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_user
from tests.jobs.kinds import registered

pytestmark = pytest.mark.django_db


@pytest.fixture
def actor():
    return Actor(make_user("owner"), Interface.PAGE)


def ask(actor, name="study"):
    study = make_designed_study(name)
    return ask_for_simulation(study, panel="link", raters=3, seed=0, actor=actor, now=NOW)


def test_a_simulation_waits_for_simulations_alone(actor) -> None:
    asked = ask(actor)
    with registered(lane=SIMULATE.lane + "-not"):
        job = claim_job(SIMULATE.lane, now=NOW)

    assert (job.payload, job.account, job.lane) == ({"simulation": asked.pk}, actor.user, "simulations")


def test_a_simulation_whose_worker_dies_is_begun_again_and_then_given_up(actor) -> None:
    asked, now = ask(actor), NOW + timedelta(hours=9)
    for _ in range(2):
        # That it waited for hours does not make it late.
        assert claim_job(SIMULATE.lane, now=now)
        assert lose_dead_jobs(now=now + DEAD_AFTER) == 0
        now += DEAD_AFTER * 2
        assert lose_dead_jobs(now=now) == 1
        asked.refresh_from_db()

    assert (asked.state, asked.problem, asked.finished_at) == (
        WorkState.FAILED,
        "the worker running it exited, 2 times",
        now,
    )
    assert ask_for_simulation(asked.study, panel="link", raters=3, seed=0, actor=actor, now=now).pk != asked.pk


def test_a_cancelled_simulation_says_so(actor) -> None:
    asked = ask(actor)

    cancel_job(Job.objects.get(), now=NOW, by="owner")

    asked.refresh_from_db()
    assert (asked.state, asked.problem) == (WorkState.FAILED, "cancelled by owner")


def test_an_account_with_too_many_jobs_is_refused_and_nothing_is_kept(actor, settings) -> None:
    settings.ACCORDANCE_ACCOUNT_JOBS = 1
    ask(actor)

    with pytest.raises(CannotSimulate, match="1 jobs of your account are waiting or running, the maximum is 1"):
        ask(actor, "next")
    assert Simulation.objects.count() == 1

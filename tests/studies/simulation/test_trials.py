"""Tests of requests for simulations: one at a time, drafts only; and of studies made from simulated judgments."""

import pytest

from studies.access.audit import COMMAND_LINE, Actor
from studies.collection.lifecycle import CannotChangeState, open_study
from studies.enums import AuditAction, Interface, StudyState, WorkState
from studies.models import AuditEntry, Judgment, Simulation, Study
from studies.simulation.demo.judging import SIMULATED
from studies.simulation.trials import (
    CannotSimulate,
    SimulatedAnswer,
    fail_simulation,
    finish_simulation,
    make_trial,
    request_simulation,
    start_simulation,
)
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW, make_user
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


def ask(study, *, now=NOW):
    return request_simulation(study, panel="link", n_raters=3, seed=0, actor=COMMAND_LINE, now=now)


def play(study, answers=()):
    """Ask for a simulation and let it end with these answers."""
    simulation = start_simulation(ask(study).pk)
    finish_simulation(simulation, report={"rows": []}, answers=answers, now=NOW)
    return Simulation.objects.get(pk=simulation.pk)


def answer_all(study):
    return [
        SimulatedAnswer(item.pk, name, value, {"choice": int(value)}, 900)
        for name, values in {"AAAA": (1.0, 3.0), "BBBB": (2.0, 4.0)}.items()
        for item, value in zip(list_items(study), values, strict=True)
    ]


def test_who_began_a_simulation_is_written_down() -> None:
    study = make_designed_study()

    simulation = ask(study)

    entry = AuditEntry.objects.get(study=study, action="simulated")
    assert entry.details == {"simulation": simulation.pk, "panel": "link", "raters": 3}


def test_study_that_is_open_or_lacks_something_is_not_simulated() -> None:
    with pytest.raises(CannotSimulate, match="Only drafts can be simulated"):
        ask(make_open_study("open"))
    with pytest.raises(CannotSimulate, match="Before it can be simulated, it needs: consent text"):
        ask(make_designed_study("silent", consent=""))
    assert Simulation.objects.count() == 0


def test_one_simulation_is_under_way_at_a_time() -> None:
    study = make_designed_study()
    first = ask(study)

    with pytest.raises(CannotSimulate, match="A simulation of this study is in progress"):
        ask(study)
    assert start_simulation(first.pk).state == WorkState.RUNNING
    # Begun anew after its worker was lost, and not after its end.
    assert start_simulation(first.pk).state == WorkState.RUNNING
    fail_simulation(first.pk, "Why.", now=NOW)
    assert start_simulation(first.pk) is None


def test_failure_is_told() -> None:
    simulation = start_simulation(ask(make_designed_study()).pk)

    fail_simulation(simulation.pk, "Why.", now=NOW)

    found = Simulation.objects.get()
    assert (found.state, found.problem, found.finished_at) == (WorkState.FAILED, "Why.", NOW)


def test_trial_holds_the_simulated_judgments_and_says_so() -> None:
    study = make_designed_study(n_tasks=2)
    owner = make_user("owner")
    simulation = play(study, answer_all(study))

    trial = make_trial(simulation, actor=Actor(user=owner, interface=Interface.PAGE), now=NOW)

    assert (trial.name, trial.title, trial.owner, trial.simulation_of) == (
        "study-simulation",
        f"Simulation of {study.title} (simulated judgments)",
        owner,
        study,
    )
    items = list_items(trial)
    assert [item.candidate_id for item in items] == [item.candidate_id for item in list_items(study)]
    assert list(
        Judgment.objects.order_by("pk").values_list("item_id", "rater__pseudonym", "value", "answer", "elapsed_ms")
    ) == [
        (items[0].pk, "simulated-1", 1.0, {**SIMULATED, "choice": 1}, 900),
        (items[1].pk, "simulated-1", 3.0, {**SIMULATED, "choice": 3}, 900),
        (items[0].pk, "simulated-2", 2.0, {**SIMULATED, "choice": 2}, 900),
        (items[1].pk, "simulated-2", 4.0, {**SIMULATED, "choice": 4}, 900),
    ]
    assert list(AuditEntry.objects.order_by("pk").values_list("study_name", "action")) == [
        ("study", AuditAction.SIMULATED),
        ("study-simulation", AuditAction.CLONED),
        ("study-simulation", AuditAction.CLOSED),
    ]
    assert Study.objects.get(pk=study.pk).state == StudyState.DRAFT


def test_trial_is_made_once_and_never_opened() -> None:
    study = make_designed_study(n_tasks=2)
    simulation = play(study, answer_all(study))
    trial = make_trial(simulation, actor=COMMAND_LINE, now=NOW)

    assert make_trial(simulation, actor=COMMAND_LINE, now=NOW) == trial
    with pytest.raises(CannotChangeState, match="has simulated judgments"):
        open_study(trial, now=NOW)
    second = make_trial(play(study, answer_all(study)), actor=COMMAND_LINE, now=NOW)
    assert second.name == "study-simulation-2"
    # What raters said is kept of the newest simulation alone.
    assert Simulation.objects.get(pk=simulation.pk).answers == []


def test_trial_needs_judgments_of_the_items_that_there_are() -> None:
    study = make_designed_study(n_tasks=2)

    with pytest.raises(CannotSimulate, match="no judgments to create a study from"):
        make_trial(play(study), actor=COMMAND_LINE, now=NOW)
    with pytest.raises(CannotSimulate, match="items have changed"):
        make_trial(play(study, [SimulatedAnswer(0, "AAAA", 1.0, {}, None)]), actor=COMMAND_LINE, now=NOW)
    assert Study.objects.count() == 1

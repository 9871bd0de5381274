"""Stored simulations of a draft, and studies of simulated judgments made from them to try the analysis."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, transaction

from studies.access.audit import Actor, record_change
from studies.datasets.cloning import clone_study
from studies.datasets.names import find_free_name
from studies.design.completeness import list_missing
from studies.design.study_facts import load_facts
from studies.enums import AuditAction, RaterOutcome, StudyState, WorkState
from studies.models import Item, Judgment, Rater, Simulation, Study
from studies.shared.errors import ImportFailed, Refusal
from studies.simulation.demo.judging import SIMULATED

LIMIT: Final = timedelta(minutes=30)
"""The time limit of a simulation, from its start."""
_UNDER_WAY: Final = (WorkState.WAITING, WorkState.RUNNING)
_AT_ONCE: Final = 2000


class CannotSimulate(Refusal):
    """The study cannot be simulated now, or a simulation has no judgments to use; the message says why."""


@dataclass(frozen=True, slots=True)
class SimulatedAnswer:
    """One judgment of a simulated rater; `item` is a key of the simulated study, not of the copy."""

    item: int
    rater: str
    value: float | None
    answer: dict[str, Any]
    elapsed_ms: int | None


def explain_refusal(study: Study) -> str:
    """Return the reason why a study cannot be simulated; empty if it can be."""
    if study.state != StudyState.DRAFT:
        return "Only drafts can be simulated, and this study has been opened. Clone it to simulate it."
    missing = list_missing(study, load_facts(study).design)
    return f"Before it can be simulated, it needs: {'; '.join(missing)}." if missing else ""


def request_simulation(
    study: Study, *, panel: str, n_raters: int, seed: int, actor: Actor, now: datetime
) -> Simulation:
    """Store a request for a simulation; the caller queues the job.

    Raises:
        CannotSimulate: The study is not a draft, is incomplete, or is being simulated.
    """
    reason = explain_refusal(study)
    if reason:
        raise CannotSimulate(reason)
    try:
        with transaction.atomic():
            made = Simulation.objects.create(
                study=study, panel=panel, n_raters=n_raters, seed=seed, made_by=actor.user, made_at=now
            )
            details = {"simulation": made.pk, "panel": panel, "raters": n_raters}
            record_change(study, actor=actor, action=AuditAction.SIMULATED, now=now, details=details)
            return made
    except IntegrityError as error:
        if not Simulation.objects.filter(study=study, state__in=_UNDER_WAY).exists():
            raise
        raise CannotSimulate("A simulation of this study is in progress; wait until it ends.") from error


def start_simulation(pk: int) -> Simulation | None:
    """Start a simulation, or start it again if a worker was lost; return None if it has ended or was deleted.

    The calling job ensures that only one worker does so at a time.
    """
    if not Simulation.objects.filter(pk=pk, state__in=_UNDER_WAY).update(state=WorkState.RUNNING):
        return None
    return Simulation.objects.select_related("study").get(pk=pk)


@transaction.atomic
def finish_simulation(
    simulation: Simulation, *, report: dict[str, Any], answers: Sequence[SimulatedAnswer], now: datetime
) -> None:
    """Store the report and the judgments; delete the judgments of earlier simulations, but not their reports."""
    done = Simulation.objects.filter(pk=simulation.pk, state=WorkState.RUNNING)
    rows = [[each.item, each.rater, each.value, each.answer, each.elapsed_ms] for each in answers]
    done.update(state=WorkState.DONE, report=report, answers=rows, finished_at=now)
    Simulation.objects.filter(study=simulation.study_id, pk__lt=simulation.pk).exclude(answers=[]).update(answers=[])


def fail_simulation(pk: int, problem: str, *, now: datetime) -> None:
    """Store the reason of a failure, after which another simulation can be requested."""
    under_way = Simulation.objects.filter(pk=pk, state__in=_UNDER_WAY)
    under_way.update(state=WorkState.FAILED, problem=problem, finished_at=now)


def find_newest(study: Study) -> Simulation | None:
    """Return the newest simulation without loading its judgments; None if there is none."""
    return Simulation.objects.filter(study=study).select_related("trial", "made_by").defer("answers").first()


@transaction.atomic
def make_trial(simulation: Simulation, *, actor: Actor, now: datetime) -> Study:
    """Create a closed study from the judgments of a simulation, to try the analysis; once per simulation.

    It is permanently marked as simulated: in its title, on its pages and in its raters and judgments, and it can never
    be opened. The simulated study itself gets no judgments.

    Raises:
        CannotSimulate: There are no judgments, the items of the study have changed since, or the account has reached
                its limit of studies.
    """
    locked = Simulation.objects.select_for_update(of=("self",)).select_related("study", "trial").get(pk=simulation.pk)
    if locked.trial is not None:
        return locked.trial
    if not locked.answers:
        raise CannotSimulate("This simulation has no judgments to create a study from. Simulate again.")
    study = locked.study
    try:
        trial = clone_study(
            study,
            name=find_free_name(f"{study.name[:73]}-simulation"),
            title=f"Simulation of {study.title[:160]} (simulated judgments)",
            now=now,
            actor=actor,
            owner=actor.user,
        )
    except ImportFailed as error:
        raise CannotSimulate(str(error)) from error
    trial.simulation_of, trial.is_simulated = study, True
    _write_answers(locked, trial, now=now)
    trial.state, trial.started_at = StudyState.CLOSED, now
    trial.save(update_fields=["simulation_of", "is_simulated", "state", "started_at"])
    record_change(
        trial, actor=actor, action=AuditAction.CLOSED, now=now, details={"simulation": locked.pk, "simulated": True}
    )
    locked.trial = trial
    locked.save(update_fields=["trial"])
    return trial


def _write_answers(simulation: Simulation, trial: Study, *, now: datetime) -> None:
    items = dict(zip(_list_items(simulation.study), _list_items(trial), strict=True))
    names = list(dict.fromkeys(name for _, name, *_ in simulation.answers))
    if any(item not in items for item, *_ in simulation.answers):
        raise CannotSimulate("The study's items have changed since it was simulated. Simulate again.")
    raters = {
        name: Rater(
            study=trial, pseudonym=f"simulated-{number}", joined_at=now, finished_at=now, outcome=RaterOutcome.FINISHED
        )
        for number, name in enumerate(names, start=1)
    }
    Rater.objects.bulk_create(raters.values(), batch_size=_AT_ONCE)
    Judgment.objects.bulk_create(
        (
            Judgment(
                item_id=items[item],
                rater=raters[name],
                value=value,
                answer=SIMULATED | answer,
                elapsed_ms=elapsed,
                created_at=now,
            )
            for item, name, value, answer, elapsed in simulation.answers
        ),
        batch_size=_AT_ONCE,
    )


def _list_items(study: Study) -> list[int]:
    """Return the keys of items in order, which is the same in a clone."""
    return list(
        Item.objects.filter(task__study=study).order_by("task__position", "position").values_list("pk", flat=True)
    )

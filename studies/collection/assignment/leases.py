"""Leases of tasks: a rater holds a task for a limited time, after which it becomes available to others."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from studies.collection.assignment.network_limits import count_newcomer
from studies.collection.assignment.prepared_writes import insert_rows
from studies.collection.assignment.rater_assignments import (
    MOST_OVERDUE,
    RaterTally,
    find_assignment,
    find_held,
    find_leases,
    find_next_slot,
    find_open_slot,
    has_slot_left,
    list_open_slots,
    list_overdue,
    tally,
)
from studies.collection.assignment.replacement import is_replaced
from studies.collection.assignment.row_locks import lock_rater
from studies.collection.assignment.slots import hold_again, hold_free_slot
from studies.collection.assignment.stages import (
    Stage,
    StageName,
    Step,
    derive_stage,
    describe_step,
    find_stage,
    plan_step,
)
from studies.collection.ordering import arrange_items
from studies.collection.shown_tasks import load_items
from studies.collection.study_tasks import TaskPlan
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import MAY_GO_ON, AssignmentState, EventKind, RaterOutcome, StudyState
from studies.models import Assignment, Rater, RaterEvent, Slot, Study, StudyVersion, Task


@dataclass(frozen=True, slots=True)
class Lease:
    """The rater's current assignment and stage."""

    assignment: Assignment
    stage: Stage


def lease_task(rater: Rater, *, now: datetime) -> Assignment | None:
    """Return the rater's current task, leasing one if needed; it stays the same until it is submitted.

    Training comes first, then the qualification, then main tasks with interleaved checks. The next main task is one
    whose lease expired for this rater, if it still has a free slot; otherwise the one in most need, with the free slot
    of lowest number (in an order drawn for the study); otherwise one that the rater returned, if it is still free. A
    rater never gets a task that shows one of their own captions.

    Return None in a pause between sessions, if nothing is left for this rater, or if the study is not open (see
    `find_stage`). If an open study has nothing left, the rater's participation ends: without a task, cut short, or
    finished. A later call returns a task that has become free since.
    """
    lease = take_lease(rater, now=now)
    return lease.assignment if lease else None


def take_lease(rater: Rater, *, now: datetime, version: StudyVersion | None = None, network: str = "") -> Lease | None:
    """Like `lease_task`, but return the stage too.

    Args:
        version: The newest design version, if the rater has agreed to it and was just read with the study; without
            it, all are read again.
        network: The keyed hash of the rater's network, for which a newcomer's lease is counted and shortened; empty
            for a rater with a verified identity.

    Raises:
        TooManyNewcomers: The network has reached its limit of tasks held by newcomers.
    """
    held = find_held(rater, now=now) if version else None
    if held and version:
        return Lease(held, derive_stage(rater, design=StudyDesign.from_json(version.design)))
    return _lease(rater, now=now, version=version, begins_session=False, network=network)


def lease_next(rater: Rater, *, version: StudyVersion, now: datetime, network: str) -> Assignment | None:
    """Lease the main task that follows an answer, in the transaction that stores the answer and has locked the rater.

    Waits for no lock. Returns None if the rater holds a task, and in the cases left to `take_lease` for the next page:
    a check, a pause, the end, a newcomer, an expired lease in the study, no free slot that is not locked.
    """
    study, found = rater.study, tally(rater, now=now)
    if found.lease or found.n_expired or rater.outcome or _is_new(found, network):
        return None
    design = StudyDesign.from_json(version.design)
    step = plan_step(rater, study=study, design=design, found=found)
    if step.name != StageName.MAIN or step.task or step.own_tasks:
        return None
    slot = find_next_slot(rater, now=now)
    terms = _make_terms(rater, study, version, step, now=now, minutes=design.lease_minutes)
    return _create_on(slot, terms) if slot else None


def begin_session(rater: Rater, *, now: datetime) -> Assignment | None:
    """End a pause and lease the first task of the next session; outside a pause, lease nothing new.

    Otherwise a rater who has just joined could get a first task here that is counted for no network.
    """
    lease = _lease(rater, now=now, version=None, begins_session=True)
    return lease.assignment if lease else None


def return_task(assignment: Assignment) -> None:
    """Release the slot at once; does nothing if the assignment is no longer leased."""
    leased = Assignment.objects.filter(pk=assignment.pk, state=AssignmentState.LEASED)
    leased.update(state=AssignmentState.RETURNED)


@transaction.atomic
def leave_study(rater: Rater, *, now: datetime) -> None:
    """End the rater's participation: leases are released, submissions are kept. Does nothing if it has ended."""
    rater = lock_rater(rater.pk)
    if rater.outcome:
        return
    Assignment.objects.filter(rater=rater, state=AssignmentState.LEASED).update(state=AssignmentState.RETURNED)
    _end(rater, RaterOutcome.LEFT, now=now)
    RaterEvent.objects.create(study_id=rater.study_id, rater=rater, kind=EventKind.LEFT, at=now)


def expire_leases(*, study_id: int, now: datetime) -> int:
    """Free the slots of expired leases; return how many were freed."""
    return _expire(list_overdue(study_id=study_id, now=now), now=now)


def end_leases(study: Study) -> int:
    """Expire all leases of a study that is being closed; return how many.

    A lease that is being submitted at this moment ends when the submission is refused.
    """
    return _end_unlocked(Assignment.objects.filter(study=study))


def _expire(overdue: Sequence[int], *, now: datetime) -> int:
    return _end_unlocked(Assignment.objects.filter(pk__in=overdue, expires_at__lte=now)) if overdue else 0


@transaction.atomic
def _end_unlocked(leases: QuerySet[Assignment]) -> int:
    # A locked lease is being submitted or released by another request.
    leased = leases.filter(state=AssignmentState.LEASED).order_by("pk")
    pks = list(leased.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True))
    return Assignment.objects.filter(pk__in=pks).update(state=AssignmentState.EXPIRED)


@dataclass(frozen=True, slots=True)
class _Terms:
    """The fields of a new lease that do not depend on the task."""

    rater: Rater
    study: Study
    version: StudyVersion
    session: int
    leased_at: datetime
    expires_at: datetime


def _make_terms(
    rater: Rater, study: Study, version: StudyVersion, step: Step, *, now: datetime, minutes: int
) -> _Terms:
    return _Terms(rater, study, version, step.session, leased_at=now, expires_at=now + timedelta(minutes=minutes))


def _lease(
    rater: Rater, *, now: datetime, version: StudyVersion | None, begins_session: bool, network: str = ""
) -> Lease | None:
    leases = find_leases(rater, now=now)
    held = _find_held(rater, leases.own)
    if held:
        return Lease(held, find_stage(rater))
    n_ended = _expire(leases.overdue, now=now)
    lease = _take_next(rater, now=now, version=version, begins_session=begins_session, network=network)
    if lease is None and n_ended >= MOST_OVERDUE:
        # There may be more expired leases, among them the only slot that this rater can have.
        return _lease(rater, now=now, version=version, begins_session=begins_session, network=network)
    return lease


@transaction.atomic
def _take_next(
    rater: Rater, *, now: datetime, version: StudyVersion | None, begins_session: bool, network: str
) -> Lease | None:
    # Concurrent requests of one rater must not lease two tasks.
    rater = lock_rater(rater.pk)
    study, found = rater.study, tally(rater, now=now)
    held = _find_held(rater, found.lease)
    if held:
        return Lease(held, find_stage(rater))
    if study.state != StudyState.OPEN or rater.outcome not in MAY_GO_ON:
        return None
    if rater.outcome and is_replaced(rater):
        return None
    version = version or load_newest_version(study)
    design = StudyDesign.from_json(version.design)
    if begins_session and plan_step(rater, study=study, design=design, found=found).name != StageName.PAUSE:
        return None
    step = plan_step(rater, study=study, design=design, found=found, begins_session=begins_session)
    is_newcomer = step.name == StageName.MAIN and step.task is None and _is_new(found, network)
    minutes = design.first_lease_minutes if is_newcomer else design.lease_minutes
    terms = _make_terms(rater, study, version, step, now=now, minutes=minutes)
    held = _take_step(step, terms)
    if held and is_newcomer:
        count_newcomer(held, network=network)
    return Lease(held, describe_step(step, rater, study, design)) if held else None


def find_first_minutes(rater: Rater, *, design: StudyDesign, network: str) -> int:
    """Return for how many minutes the rater would hold the next main task, given the network as for `take_lease`."""
    return design.first_lease_minutes if _is_new(tally(rater), network) else design.lease_minutes


def _is_new(found: RaterTally, network: str) -> bool:
    return bool(network) and not found.has_answered


def _find_held(rater: Rater, pk: int | None) -> Assignment | None:
    held = find_assignment(pk, rater=rater) if pk else None
    return held if held and held.state == AssignmentState.LEASED else None


def _take_step(step: Step, terms: _Terms) -> Assignment | None:
    rater, held = terms.rater, None
    if step.name == StageName.PAUSE and has_slot_left(rater, own_tasks=step.own_tasks):
        return None
    if step.task:
        held = _lease_for_everybody(step.task, terms)
    elif step.name == StageName.MAIN:
        held = _lease_slot(terms, step)
    if held is None and rater.outcome != step.outcome:
        _end(rater, step.outcome, now=terms.leased_at)
    elif held and rater.outcome:
        Rater.objects.filter(pk=rater.pk).update(outcome="", finished_at=None)
    return held


def _end(rater: Rater, outcome: RaterOutcome, *, now: datetime) -> None:
    Rater.objects.filter(pk=rater.pk).update(finished_at=now, outcome=outcome)


def _lease_for_everybody(task: TaskPlan, terms: _Terms) -> Assignment:
    ended = Assignment.objects.select_for_update().filter(
        rater=terms.rater, task=task.pk, state__in=[AssignmentState.EXPIRED, AssignmentState.RETURNED]
    )
    return _resume(ended, terms) or _create(Task.objects.get(pk=task.pk), None, terms, number=terms.rater.pk)


def _lease_slot(terms: _Terms, step: Step) -> Assignment | None:
    ended = Assignment.objects.select_for_update().filter(rater=terms.rater, slot__isnull=False)
    held = _resume(ended.filter(state=AssignmentState.EXPIRED), terms) if step.n_expired else None
    if held:
        return held
    # First skip slots locked by others; before reporting that none is left, wait for those.
    slot = find_open_slot(terms.rater, own_tasks=step.own_tasks)
    if slot:
        return _create_on(slot, terms)
    free = list_open_slots(terms.rater, own_tasks=step.own_tasks).select_related("task")
    return (
        hold_free_slot(free, hold=lambda slot: _create_on(slot, terms))
        # Let others have it first; if no more raters than slots are invited, nobody else will take it.
        or _resume(ended.filter(state=AssignmentState.RETURNED), terms)
    )


def _resume(ended: QuerySet[Assignment], terms: _Terms) -> Assignment | None:
    """Renew an expired or returned lease, so that a page still open in a browser stays valid."""
    changes = {"session": terms.session, "leased_at": terms.leased_at, "expires_at": terms.expires_at}
    for assignment in ended.order_by("-leased_at"):
        if hold_again(assignment, state=AssignmentState.LEASED, **changes):
            return assignment
    return None


def _create_on(slot: Slot, terms: _Terms) -> Assignment:
    return _create(slot.task, slot, terms, number=slot.number)


def _create(task: Task, slot: Slot | None, terms: _Terms, *, number: int) -> Assignment:
    seed = terms.study.seed
    held = Assignment(
        study=terms.study,
        task=task,
        slot=slot,
        rater=terms.rater,
        version=terms.version,
        session=terms.session,
        shown=arrange_items(load_items(task, seed=seed), seed=seed, task_position=task.position, slot_number=number),
        leased_at=terms.leased_at,
        expires_at=terms.expires_at,
    )
    insert_rows([held])
    return held

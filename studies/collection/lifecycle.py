"""Opens and closes studies: a draft is designed, an open study takes judgments, a closed one takes no more."""

from datetime import datetime
from random import Random

from django.db import transaction

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.collection.assignment.leases import end_leases
from studies.design.completeness import list_missing
from studies.design.study_design import StudyDesign
from studies.enums import AuditAction, StudyState, TaskRole
from studies.models import AuditEntry, Slot, Study, StudyVersion, Task
from studies.models.study import make_seed
from studies.shared.errors import Refusal


class CannotChangeState(Refusal):
    """The state of the study does not allow this, or its design is incomplete; the message says what is missing."""


@transaction.atomic
def open_study(study: Study, *, now: datetime, actor: Actor = COMMAND_LINE) -> None:
    """Open a study and create the slots that the design plans; after the first opening, items cannot change.

    Raises:
        CannotChangeState: The study is already open, or it has no tasks or no consent text.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.state == StudyState.OPEN:
        raise CannotChangeState(f"study {study.name} is already open")
    if locked.archived_at is not None:
        raise CannotChangeState(f"study {study.name} is archived: take it out of the archive first")
    if locked.is_simulated:
        raise CannotChangeState(f"study {study.name} has simulated judgments, which must not be mixed with real ones")
    if locked.is_computed:
        raise CannotChangeState(
            f"study {study.name} has computed judgments, which must not be mixed with people's: open a clone of it"
        )
    design = _load_design(locked)
    missing = list_missing(locked, design)
    if missing:
        raise CannotChangeState(f"study {study.name} cannot be opened: it has no {', no '.join(missing)}")
    if locked.state == StudyState.CLOSED and not _has_batch_out(locked):
        # A bundle may have published the previous seed.
        study.seed = locked.seed = make_seed()
        study.save(update_fields=["seed"])
    _make_slots(locked, n_per_task=design.raters_per_task)
    _save_state(study, StudyState.OPEN, started_at=locked.started_at or now)
    record_change(study, actor=actor, action=AuditAction.OPENED, now=now, details={"was": locked.state})


@transaction.atomic
def close_study(study: Study, *, now: datetime, actor: Actor = COMMAND_LINE) -> None:
    """Close a study and end all leases; submissions of tasks still held are refused.

    Raises:
        CannotChangeState: The study is not open.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.state != StudyState.OPEN:
        raise CannotChangeState(f"study {study.name} is not open but {locked.get_state_display().lower()}")
    _save_state(study, StudyState.CLOSED, started_at=locked.started_at)
    end_leases(study)
    record_change(study, actor=actor, action=AuditAction.CLOSED, now=now)


def _has_batch_out(study: Study) -> bool:
    """Return whether pages of a batch may have shown workers an order that depends on the current seed."""
    return AuditEntry.objects.filter(study=study, action=AuditAction.BATCH_WRITTEN).exists()


def _load_design(study: Study) -> StudyDesign:
    newest = StudyVersion.objects.filter(study=study).order_by("-number").first()
    return StudyDesign.from_json(newest.design) if newest else StudyDesign()


def _make_slots(study: Study, *, n_per_task: int) -> None:
    turns = Random(f"{study.seed}/turns")  # noqa: S311 - the seed is the secret
    tasks = Task.objects.filter(study=study, role=TaskRole.MAIN).order_by("position").values_list("pk", flat=True)
    slots = [
        Slot(study=study, task_id=task, number=number, turn=turns.getrandbits(31))
        for task in tasks
        for number in range(1, n_per_task + 1)
    ]
    # Slots of an earlier opening are kept.
    Slot.objects.bulk_create(slots, batch_size=2000, ignore_conflicts=True)


def _save_state(study: Study, state: StudyState, *, started_at: datetime | None) -> None:
    study.state, study.started_at = state, started_at
    study.save(update_fields=["state", "started_at"])

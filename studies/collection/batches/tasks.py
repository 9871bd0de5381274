"""Batches of tasks for Turkle and Mechanical Turk, and the import of their results.

All workers see a task in the same order, that of its first slot, since a batch has one page for all of them.
"""

import hmac
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from django.db import transaction

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.collection.arrival.arrivals import Arrival, SessionOfAnother, end_submission, find_session, record_arrival
from studies.collection.arrival.raters import Participant, join_study, list_identity_hashes
from studies.collection.assignment import Answer, CannotSubmit, submit_answers
from studies.collection.assignment.rater_assignments import count_submitted, list_own_tasks
from studies.collection.ordering import arrange_items
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import AssignmentState, AuditAction, PanelKind, RaterOutcome, StudyState, TaskRole
from studies.models import Assignment, Rater, Slot, Study, StudyVersion, Submission, Task
from studies.models.judgment import LIVE
from studies.shared.errors import Refusal, SourceLocation, quote

_LAYOUT_DIGITS: Final = 32
ReadAnswers = Callable[[Assignment, Mapping[str, str]], Sequence[Answer]]
"""Converts the fields of a page into answers with the form of the task kind; raises RowRefused if they are invalid."""


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One completed assignment of a batch.

    Attributes:
        location: Its place in the file.
        worker: The panel's id of the person.
        assignment: The panel's id of the assignment.
        task: The task's position.
        layout: The value of `digest_layout` for the task when the batch was written.
        seconds: How long the worker held it.
        fields: The values of the page's fields.
    """

    location: SourceLocation
    worker: str
    assignment: str
    task: int
    layout: str
    seconds: float
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ImportedBatch:
    """The numbers of assignments imported now and before."""

    n_new: int
    n_known: int
    n_raters: int


class RowRefused(Exception):
    """A row cannot be imported; the message says why."""


class BatchRefused(Refusal):
    """Nothing was imported; the message has a line for each invalid row."""


def begin_batch(study: Study, *, now: datetime, actor: Actor = COMMAND_LINE) -> None:
    """Record that a batch is written, in the same transaction: from now on, opening the study keeps its seed.

    The order that workers see, and with it the meaning of their answers, depends on the seed. Otherwise opening draws a
    new seed, since a bundle may have published that of a closed study.

    Raises:
        BatchRefused: The study is closed.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.state == StudyState.CLOSED:
        raise BatchRefused(f"study {study.name} is closed; open it before a batch is written")
    study.seed = locked.seed
    n_tasks = Task.objects.filter(study=locked, role=TaskRole.MAIN).count()
    record_change(locked, actor=actor, action=AuditAction.BATCH_WRITTEN, now=now, details={"tasks": n_tasks})


def digest_layout(assignment: Assignment) -> str:
    """Return 32 hexadecimal digits that identify the order of a task without revealing it."""
    shown = json.dumps([assignment.task_id, assignment.shown], sort_keys=True)
    return hmac.digest(assignment.study.seed.encode(), f"layout/{shown}".encode(), "sha256").hex()[:_LAYOUT_DIGITS]


def lay_out_tasks(study: Study) -> Iterator[Assignment]:
    """Yield each main task as shown to a worker, as an unsaved assignment."""
    for task in Task.objects.filter(study=study, role=TaskRole.MAIN).order_by("position"):
        yield _lay_out(study, task)


@transaction.atomic
def import_batch(
    study: Study,
    rows: Sequence[BatchRow],
    *,
    read_answers: ReadAnswers,
    now: datetime,
    rng: Random,
    actor: Actor = COMMAND_LINE,
) -> ImportedBatch:
    """Import the assignments of a results file into an open study as ordinary judgments of raters.

    Each takes a slot of its task. Assignments imported before are skipped, so a longer file can be imported again.
    Workers are stored as identities by keyed hash, as if they had come through the panel's channel.

    Args:
        study: An open study.
        rows: The file's rows.
        read_answers: The form of the study's kind.
        now: The submission time of all of them.
        rng: Draws pseudonyms; `secrets.SystemRandom()` outside of tests.
        actor: The account for the audit log.

    Raises:
        BatchRefused: The study is not open, or rows are invalid; nothing is imported.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.state != StudyState.OPEN:
        raise BatchRefused(f"study {study.name} must be open to take judgments, but is {locked.state}")
    version = load_newest_version(locked)
    importer = _Importer(locked, version, read_answers=read_answers, now=now, rng=rng)
    refusals = []
    for row in rows:
        try:
            with transaction.atomic():
                importer.take_in(row)
        except (RowRefused, CannotSubmit, SessionOfAnother) as refusal:
            refusals.append(f"{row.location}: {refusal}")
    if refusals:
        raise BatchRefused(
            "\n".join([*refusals, f"nothing was imported: {len(refusals)} of {len(rows)} rows are invalid"])
        )
    Rater.objects.filter(pk__in=importer.raters, outcome="").update(outcome=RaterOutcome.FINISHED, finished_at=now)
    done = ImportedBatch(importer.n_new, len(rows) - importer.n_new, len(importer.raters))
    if done.n_new:
        details = {"assignments": done.n_new, "raters": done.n_raters}
        record_change(locked, actor=actor, action=AuditAction.BATCH_TAKEN, now=now, details=details)
    return done


class _Importer:
    def __init__(
        self, study: Study, version: StudyVersion, *, read_answers: ReadAnswers, now: datetime, rng: Random
    ) -> None:
        self.study, self.version, self.design = study, version, StudyDesign.from_json(version.design)
        self.read_answers, self.now, self.rng = read_answers, now, rng
        self.tasks = {task.position: task for task in Task.objects.filter(study=study, role=TaskRole.MAIN)}
        self.raters: set[int] = set()
        self.n_new = 0

    def take_in(self, row: BatchRow) -> None:
        participant = Participant(PanelKind.AMT, row.worker)
        if self._is_known(row, participant):
            return
        task = self.tasks.get(row.task)
        if task is None:
            raise RowRefused(f"task {row.task} is not a main task of study {self.study.name}")
        laid_out = _lay_out(self.study, task)
        if not hmac.compare_digest(row.layout.encode(), digest_layout(laid_out).encode()):
            raise RowRefused(
                f"task {row.task} was shown in a different order than the study has now, so its answers cannot be read"
            )
        # Report invalid fields before missing slots.
        answers = self.read_answers(laid_out, row.fields)
        rater = join_study(self.study, version=self.version, now=self.now, rng=self.rng, participant=participant)
        arrival = Arrival(PanelKind.AMT, participant, session_id=row.assignment)
        began_at = self.now - timedelta(seconds=row.seconds)
        submission = record_arrival(rater, arrival, now=began_at)
        submit_answers(self._hold(rater, task, began_at=began_at), answers=answers, now=self.now)
        end_submission(submission, outcome=RaterOutcome.FINISHED, code="", now=self.now)
        self.raters.add(rater.pk)
        self.n_new += 1

    def _is_known(self, row: BatchRow, participant: Participant) -> bool:
        found = find_session(self.study.pk, PanelKind.AMT, row.assignment)
        if found is None:
            return False
        if found.identity_hash not in list_identity_hashes(participant):
            raise RowRefused(f"assignment {quote(row.assignment)} was submitted by another worker")
        return True

    def _hold(self, rater: Rater, task: Task, *, began_at: datetime) -> Assignment:
        if Assignment.objects.filter(LIVE, rater=rater, task=task).exists():
            raise RowRefused(f"the worker already has task {task.position}, and may not judge an item twice")
        if task.pk in list_own_tasks(rater):
            raise RowRefused(f"task {task.position} shows a caption written by the worker")
        n_done = count_submitted(rater)
        if 0 < self.design.tasks_per_rater <= n_done:
            raise RowRefused(f"the worker has done {n_done} tasks, the maximum per rater")
        slot = Slot.objects.select_for_update().filter(task=task, is_held=False).order_by("number").first()
        if slot is None:
            raise RowRefused(f"task {task.position} already has its {self.design.raters_per_task} raters")
        held = _lay_out(self.study, task)
        held.slot, held.rater, held.version = slot, rater, self.version
        held.session = Submission.objects.filter(study=self.study, identity_hash=rater.identity_hash).count()
        held.leased_at = began_at
        held.expires_at = self.now + timedelta(minutes=self.design.lease_minutes)
        held.save()
        return held


def _lay_out(study: Study, task: Task) -> Assignment:
    items = list(task.items.select_related("caption_set").prefetch_related("caption_set__candidates"))
    shown = arrange_items(items, seed=study.seed, task_position=task.position, slot_number=1)
    return Assignment(study=study, task=task, shown=shown, state=AssignmentState.LEASED)

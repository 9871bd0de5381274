"""A rater's assignments: held, done and possible; main tasks (those with slots) unless stated otherwise."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import BigIntegerField, Count, DateTimeField, Exists, Max, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL

from studies.collection.study_tasks import load_plan
from studies.design.study_design import StudyDesign
from studies.enums import AssignmentState, TaskRole
from studies.models import Assignment, Candidate, Item, Rater, Slot, Study
from studies.models.judgment import DONE, LIVE
from studies.shared.prepared_queries import Prepared, QueryParameter

# A literal: with a parameter, SQLite does not know that the partial index contains all the rows.
CHECKS: Final = (TaskRole.GOLD, TaskRole.ATTENTION)
_LEASED: Final = RawSQL(f"'{AssignmentState.LEASED}'", ())  # noqa: S611 - our own word
MOST_OVERDUE: Final = 50
"""The number of expired leases that one request for a task ends; later requests end the others."""

_RATER: Final = QueryParameter("rater", BigIntegerField())
_STUDY: Final = QueryParameter("study", BigIntegerField())
_LARGEST: Final = BigIntegerField.MAX_BIGINT
# Later than the end of any lease.
_END: Final = datetime.max.replace(tzinfo=UTC)
_NOW: Final = QueryParameter("now", DateTimeField())


@dataclass(frozen=True, slots=True)
class Leases:
    """The leases needed before creating another: the rater's own, and some expired ones of the study."""

    own: int | None
    overdue: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RaterTally:
    """The rater's current lease and numbers of tasks done.

    Attributes:
        sessions: Session -> number of main tasks submitted in it, for all sessions with an assignment.
        n_expired: The number of main tasks whose lease expired.
        has_answered: Whether the rater has submitted a main task and has let no lease expire since.
        lease: The rater's current assignment; None if no lease is unexpired.
    """

    sessions: dict[int, int] = field(default_factory=dict)
    n_expired: int = 0
    has_answered: bool = False
    lease: int | None = None

    @property
    def n_done(self) -> int:
        return sum(self.sessions.values())


def count_tasks(study: Study, *, design: StudyDesign) -> int:
    """Return how many main tasks one rater can do at most."""
    n_tasks = load_plan(study).n_main
    return min(n_tasks, design.tasks_per_rater or n_tasks)


def count_session_tasks(study: Study, *, design: StudyDesign, n_before: int = 0, n_own: int = 0) -> int:
    """Return the number of main tasks in the session of a rater who has done `n_before` in earlier sessions.

    `n_own` of the study's main tasks show a caption by the rater and are not available to them.
    """
    rest = min(count_tasks(study, design=design), load_plan(study).n_main - n_own) - n_before
    return min(rest, design.tasks_per_session or rest)


def has_started(rater: Rater) -> bool:
    return Assignment.objects.filter(rater=rater).exists()


def find_assignment(pk: int, *, rater: Rater) -> Assignment | None:
    """Return an assignment of this rater; None if it does not exist or belongs to another."""
    # The number in an address may exceed the range of the database.
    found: Assignment | None = _ASSIGNMENT.find(assignment=pk, rater=rater.pk) if pk <= _LARGEST else None
    return found


def find_held(rater: Rater, *, now: datetime) -> Assignment | None:
    """Return the rater's unexpired lease of any task, the newest if there are several; None if there is none."""
    found: Assignment | None = _HELD.find(rater=rater.pk, now=now)
    return found


def count_submitted(rater: Rater) -> int:
    """Return how many main tasks the rater has submitted."""
    return Assignment.objects.filter(rater=rater, state__in=DONE, slot__isnull=False).count()


def count_checks_done(rater: Rater) -> int:
    """Return how many checks among main tasks the rater has submitted."""
    done = Assignment.objects.filter(rater=rater, state=AssignmentState.SUBMITTED, slot__isnull=True)
    return done.filter(task__role__in=CHECKS).count()


def tally(rater: Rater, *, now: datetime = _END) -> RaterTally:
    """Return the rater's tally in one query; the lease is the one that is unexpired at `now`."""
    rows = _TALLY.run(rater=rater.pk, now=now)
    return RaterTally(
        sessions={session: n_submitted for session, n_submitted, n_held, *_ in rows if n_held},
        n_expired=sum(n_expired for _, _, _, n_expired, *_ in rows),
        has_answered=_find_last(rows, -3) > _find_last(rows, -2),
        lease=max((lease for *_, lease in rows if lease is not None), default=None),
    )


def _find_last(rows: Iterable[Sequence[Any]], column: int) -> int:
    return max((row[column] for row in rows if row[column] is not None), default=0)


def find_leases(rater: Rater, *, now: datetime) -> Leases:
    """Find the rater's lease, and the expired leases of the study that one request ends."""
    rows = _LEASES.run(rater=rater.pk, study=rater.study_id, now=now)
    own = [pk for pk, holder, expires_at in rows if holder == rater.pk and expires_at > now]
    overdue = {pk for pk, _, expires_at in rows if expires_at <= now}
    return Leases(own=max(own, default=None), overdue=tuple(sorted(overdue)))


def find_last_submitted(rater: Rater) -> Assignment | None:
    """Return the assignment that the rater submitted last, in any stage."""
    submitted = Assignment.objects.filter(rater=rater, state=AssignmentState.SUBMITTED)
    return submitted.select_related("version", "task").order_by("-submitted_at", "-pk").first()


def list_overdue(*, study_id: int, now: datetime) -> list[int]:
    """Return the primary keys of expired leases of a study that still hold a slot."""
    overdue = Assignment.objects.filter(study=study_id, state=_LEASED, expires_at__lte=now)
    return sorted(overdue.order_by().values_list("pk", flat=True))


def list_done_apart(rater: Rater) -> frozenset[int]:
    """Return the tasks without slots that the rater has submitted; for qualification, those of this attempt."""
    done = Assignment.objects.filter(rater=rater, state=AssignmentState.SUBMITTED, slot__isnull=True)
    return frozenset(done.values_list("task", flat=True))


def list_returned(rater: Rater, tasks: Iterable[int]) -> frozenset[int]:
    """Return those of the tasks that the rater has returned."""
    returned = Assignment.objects.filter(rater=rater, state=AssignmentState.RETURNED, task__in=tasks)
    return frozenset(returned.values_list("task", flat=True))


def list_own_tasks(rater: Rater) -> frozenset[int]:
    """Return the tasks of the study that show a caption written by the same person, in this study or another.

    A person is recognized by the identity from a panel or a personal link.
    """
    same = Q(author=rater.pk)
    if rater.identity_hash:
        same |= Q(author__in=Rater.objects.filter(identity_hash=rater.identity_hash).values("pk"))
    written = list(Candidate.objects.filter(same).order_by().values_list("pk", "caption_set"))
    if not written:
        return frozenset()
    captions = [pk for pk, _ in written]
    sets = {caption_set for _, caption_set in written if caption_set is not None}
    shows = Q(candidate__in=captions) | Q(other_candidate__in=captions) | Q(caption_set__in=sets)
    items = Item.objects.filter(shows, task__study=rater.study_id).order_by()
    return frozenset(items.values_list("task", flat=True))


def list_open_slots(rater: Rater, *, own_tasks: frozenset[int]) -> QuerySet[Slot]:
    """Return the free slots of tasks that the rater has never held; tasks in most need come first."""
    return _list_open(rater.pk, rater.study_id, own_tasks)


def find_open_slot(rater: Rater, *, own_tasks: frozenset[int]) -> Slot | None:
    """Lock the first of these slots that is not locked, and return it with its task."""
    if own_tasks:
        return _lock_first(list_open_slots(rater, own_tasks=own_tasks)).first()
    found: Slot | None = _SLOT.find(rater=rater.pk, study=rater.study_id)
    return found


def find_next_slot(rater: Rater, *, now: datetime) -> Slot | None:
    """Like `find_open_slot`; None if a lease in the study has expired, as its slot is free only once it is ended."""
    found: Slot | None = _NEXT_SLOT.find(rater=rater.pk, study=rater.study_id, now=now)
    return found


def has_slot_left(rater: Rater, *, own_tasks: frozenset[int]) -> bool:
    """Whether a task that the rater does not hold has a free slot; tasks returned by the rater count."""
    live = Assignment.objects.filter(LIVE, rater=rater, slot__isnull=False).order_by().values("task")
    return _list_free(rater.study_id, own_tasks).exclude(task__in=live).order_by().exists()


def is_complete(study: Study) -> bool:
    """Whether every slot of the study has its judgments, so that no rater is needed any more."""
    held = Assignment.objects.filter(study=study, state=AssignmentState.LEASED, slot__isnull=False).order_by()
    return not (Slot.objects.filter(study=study, is_held=False).order_by().exists() or held.exists())


def do_others_work(rater: Rater, *, now: datetime) -> bool:
    """Whether another rater holds a main task of the study at this moment, which may become free."""
    held = Assignment.objects.filter(study=rater.study_id, state=AssignmentState.LEASED, expires_at__gt=now)
    return held.filter(slot__isnull=False).exclude(rater=rater).order_by().exists()


def list_wrong_slots(study_id: int) -> QuerySet[Slot]:
    """Return the slots whose `is_held` is wrong."""
    live = Exists(Assignment.objects.filter(LIVE, slot=OuterRef("pk")))
    return Slot.objects.filter(Q(live, is_held=False) | Q(~live, is_held=True), study=study_id)


def _list_free(study: int | QueryParameter, own_tasks: frozenset[int]) -> QuerySet[Slot]:
    free = Slot.objects.filter(study=study, is_held=False)
    return free.exclude(task__in=own_tasks) if own_tasks else free


def _list_open(rater: int | QueryParameter, study: int | QueryParameter, own_tasks: frozenset[int]) -> QuerySet[Slot]:
    held = Assignment.objects.filter(rater=rater, slot__isnull=False).order_by().values("task")
    return _list_free(study, own_tasks).exclude(task__in=held).order_by("number", "turn")


def _lock_first(slots: QuerySet[Slot]) -> QuerySet[Slot]:
    return slots.select_for_update(skip_locked=True, of=("self",)).select_related("task")[:1]


def _build_assignment() -> QuerySet[Assignment]:
    pk = QueryParameter("assignment", BigIntegerField())
    return Assignment.objects.filter(pk=pk, rater=_RATER).select_related("task").order_by()


def _build_held() -> QuerySet[Assignment]:
    held = Assignment.objects.filter(rater=_RATER, state=_LEASED, expires_at__gt=_NOW)
    return held.select_related("task").order_by("-pk")[:1]


def _list_overdue() -> QuerySet[Assignment]:
    return Assignment.objects.filter(study=_STUDY, state=_LEASED, expires_at__lte=_NOW).order_by()


def _build_leases() -> QuerySet[Any]:
    # Uses two indexes and only part of each: a study may have thousands of abandoned leases.
    overdue = _list_overdue().order_by("expires_at").values("pk")[:MOST_OVERDUE]
    leases = Assignment.objects.filter(state=_LEASED).order_by()
    columns = ("pk", "rater", "expires_at")
    own = leases.filter(rater=_RATER).values_list(*columns)
    return own.union(leases.filter(pk__in=overdue).values_list(*columns), all=True)


def _build_tally() -> QuerySet[Any]:
    is_main = Q(slot__isnull=False)
    return (
        Assignment.objects.filter(rater=_RATER)
        .order_by()
        .values_list("session")
        .annotate(
            n_submitted=Count("pk", filter=is_main & Q(state__in=DONE)),
            n_held=Count("pk", filter=is_main),
            n_expired=Count("pk", filter=is_main & Q(state=AssignmentState.EXPIRED)),
            last_done=Max("pk", filter=is_main & Q(state__in=DONE)),
            last_expired=Max("pk", filter=is_main & Q(state=AssignmentState.EXPIRED)),
            lease=Max("pk", filter=Q(state=AssignmentState.LEASED, expires_at__gt=_NOW)),
        )
    )


def _build_slot() -> QuerySet[Slot]:
    return _lock_first(_list_open(_RATER, _STUDY, frozenset()))


def _build_next_slot() -> QuerySet[Slot]:
    return _lock_first(_list_open(_RATER, _STUDY, frozenset()).filter(~Exists(_list_overdue())))


_ASSIGNMENT: Final = Prepared(_build_assignment)
_HELD: Final = Prepared(_build_held)
_LEASES: Final = Prepared(_build_leases)
_TALLY: Final = Prepared(_build_tally)
_SLOT: Final = Prepared(_build_slot)
_NEXT_SLOT: Final = Prepared(_build_next_slot)

"""What a study looks like at this moment, counted by the database: judgments by hour, completion, queue, dropouts.

How they are kept for all who watch is in `studies.monitoring.live.jobs`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.models.functions import TruncHour

from studies.design.facts import StudyFacts, load_facts
from studies.enums import AssignmentState, RaterOutcome, TaskRole
from studies.models import Assignment, Judgment, Rater, Slot, Study

HOURS: Final = 24
STAGES: Final = ("before the first task", "training", "qualification", "main tasks")
"""How far a rater came, in the order of a study."""

_APART: Final = [role for role in TaskRole if role != TaskRole.MAIN]


@dataclass(frozen=True, slots=True)
class Hour:
    """One hour, by its start, and the judgments of main tasks that came in it."""

    start: datetime
    n: int


@dataclass(frozen=True, slots=True)
class Completion:
    """So many items have so many judgments."""

    n_judgments: int
    n_items: int


@dataclass(frozen=True, slots=True)
class Queue:
    """Slots of main tasks and who holds them.

    Attributes:
        n_slots: All that there are; 0 before the study was ever opened.
        leased: Tasks, of every stage, that raters have before them and whose time is not over.
        overdue: Those whose time is over and whose slot nobody has needed yet.
        expired: Leases that ran out and were taken back, so far.
        returned: Tasks that raters gave back, so far.
        free: Slots that wait for a rater.
    """

    n_slots: int
    leased: int
    overdue: int
    expired: int
    returned: int
    free: int


@dataclass(frozen=True, slots=True)
class Dropout:
    """Raters who came so far and no further, by outcome; an empty one is still at work."""

    stage: str
    outcome: str
    n: int

    @property
    def outcome_words(self) -> str:
        return str(RaterOutcome(self.outcome).label) if self.outcome else "Still there"


@dataclass(frozen=True, slots=True)
class MonitoringCounts:
    """Everything that is counted at once, and when; `seconds` is what counting took."""

    counted_at: datetime
    seconds: float
    facts: StudyFacts
    n_judgments: int
    n_raters: int
    last_judgment: datetime | None
    hours: tuple[Hour, ...]
    completion: tuple[Completion, ...]
    queue: Queue
    dropouts: tuple[Dropout, ...]

    @property
    def n_planned(self) -> int:
        return self.facts.n_items * self.facts.design.raters_per_task


def count_study(study: Study, *, now: datetime) -> MonitoringCounts:
    """Count everything anew, in fourteen queries whatever the size; `seconds` is left at 0 for whoever has a clock."""
    facts = load_facts(study)
    completion = _count_completion(study, facts)
    last = _find_last(study)
    return MonitoringCounts(
        counted_at=now,
        seconds=0.0,
        facts=facts,
        n_judgments=sum(each.n_judgments * each.n_items for each in completion),
        n_raters=Rater.objects.filter(study=study).count(),
        last_judgment=last,
        hours=_count_hours(study, until=now if last is None or now - last < timedelta(hours=HOURS) else last),
        completion=completion,
        queue=_count_queue(study, now=now),
        dropouts=_count_dropouts(study),
    )


def _find_last(study: Study) -> datetime | None:
    # By the newest of each rater, which the index finds: of all judgments would be a scan.
    newest = Judgment.objects.filter(rater__study=study).order_by("-pk").values_list("created_at", flat=True)
    return newest.first()


def _count_hours(study: Study, *, until: datetime) -> tuple[Hour, ...]:
    """The hours up to a moment, empty ones too: of a study that is over, those before its last judgment."""
    end = until.replace(minute=0, second=0, microsecond=0)
    start = end - timedelta(hours=HOURS - 1)
    came = Judgment.objects.filter(rater__study=study, created_at__gte=start)
    counted = _group_by_hour(came)
    # Few, and so taken away from all rather than asked of each.
    for hour, n in _group_by_hour(came.filter(item__task__role__in=_APART, item__task__study=study)).items():
        counted[hour] -= n
    hours = (start + timedelta(hours=number) for number in range(HOURS))
    return tuple(Hour(hour, counted.get(hour, 0)) for hour in hours)


def _group_by_hour(judgments: QuerySet[Judgment]) -> dict[datetime, int]:
    return dict(judgments.order_by().annotate(hour=TruncHour("created_at")).values_list("hour").annotate(n=Count("pk")))


def _count_completion(study: Study, facts: StudyFacts) -> tuple[Completion, ...]:
    """How many items of main tasks have 0, 1, 2, ... judgments, none left out up to the planned number.

    Two groupings, one within the other, which the query language of models does not have.
    """
    sql = (
        "SELECT judged.n, COUNT(*) FROM (SELECT judgment.item_id, COUNT(*) AS n FROM studies_judgment judgment "
        "JOIN studies_item item ON item.id = judgment.item_id JOIN studies_task task ON task.id = item.task_id "
        "WHERE task.study_id = %s AND task.role = %s GROUP BY judgment.item_id) judged GROUP BY judged.n"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [study.pk, TaskRole.MAIN])
        counted: dict[int, int] = dict(cursor.fetchall())
    counted[0] = facts.n_items - sum(counted.values())
    most = max(max(counted), facts.design.raters_per_task)
    return tuple(Completion(n, counted.get(n, 0)) for n in range(most + 1))


def _count_queue(study: Study, *, now: datetime) -> Queue:
    of_study = Assignment.objects.filter(study=study)
    ended = of_study.filter(state__in=(AssignmentState.EXPIRED, AssignmentState.RETURNED))
    states = dict(ended.order_by().values_list("state").annotate(n=Count("pk")))
    # Found by the index of leases, however many tasks were submitted.
    leased = list(of_study.filter(state=AssignmentState.LEASED).order_by().values_list("expires_at", flat=True))
    n_overdue = sum(expires_at <= now for expires_at in leased)
    slots = Slot.objects.filter(study=study)
    return Queue(
        n_slots=slots.count(),
        leased=len(leased) - n_overdue,
        overdue=n_overdue,
        expired=states.get(AssignmentState.EXPIRED, 0),
        returned=states.get(AssignmentState.RETURNED, 0),
        free=slots.filter(is_held=False).count(),
    )


def _count_dropouts(study: Study) -> tuple[Dropout, ...]:
    """How far raters came, by how their part ended; those who finished are counted too, to compare with."""
    given = Assignment.objects.filter(rater=OuterRef("pk"))
    roles = (TaskRole.TRAINING, TaskRole.QUALIFICATION, TaskRole.MAIN)
    # Asked rater by rater, which stops at the first task found.
    had = {f"had_{role}": Exists(given.filter(task__role=role)) for role in roles}
    raters = Rater.objects.filter(study=study, is_placeholder=False).order_by().annotate(**had)
    counts: dict[tuple[int, str], int] = {}
    for outcome, *stages in raters.values_list("outcome", *had):
        key = max((position for position, was in enumerate(stages, start=1) if was), default=0), outcome
        counts[key] = counts.get(key, 0) + 1
    return tuple(Dropout(STAGES[stage], outcome, n) for (stage, outcome), n in sorted(counts.items()))

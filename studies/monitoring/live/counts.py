"""Counts the current state of a study in the database: judgments by hour, completion, queue, dropouts.

`studies.monitoring.live.jobs` stores the counts for all viewers.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.models.functions import TruncHour

from studies.design.study_facts import StudyFacts, load_facts
from studies.enums import AssignmentState, RaterOutcome, TaskRole
from studies.models import Assignment, Judgment, Rater, Slot, Study

HOURS: Final = 24
STAGES: Final = ("before the first task", "training", "qualification", "main tasks")
"""The stages that a rater passes, in the order of a study."""

_APART: Final = [role for role in TaskRole if role != TaskRole.MAIN]


@dataclass(frozen=True, slots=True)
class Hour:
    """One hour, given by its start, and the number of judgments of main tasks in it."""

    start: datetime
    n: int


@dataclass(frozen=True, slots=True)
class Completion:
    """The number of items that have this number of judgments."""

    n_judgments: int
    n_items: int


@dataclass(frozen=True, slots=True)
class Queue:
    """The slots of main tasks by state.

    Attributes:
        n_slots: All slots; 0 if the study has never been open.
        leased: Leases, in all stages, that have not expired.
        overdue: Leases that have expired but still hold their slot, which nobody has needed yet.
        expired: Leases that have been ended after they expired.
        returned: Tasks returned by raters.
        free: Free slots.
    """

    n_slots: int
    leased: int
    overdue: int
    expired: int
    returned: int
    free: int


@dataclass(frozen=True, slots=True)
class Dropout:
    """Raters who reached this stage and no further, by outcome; empty for those still working."""

    stage: str
    outcome: str
    n: int

    @property
    def outcome_words(self) -> str:
        return RaterOutcome.describe(self.outcome)


@dataclass(frozen=True, slots=True)
class MonitoringCounts:
    """All counts and their time; `seconds` is how long counting took."""

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
    """Return new counts from fourteen queries, for any size; the caller sets `seconds`, which is 0 here."""
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
    # Find the newest by the index, since the maximum over all judgments would scan them.
    newest = Judgment.objects.filter(rater__study=study).order_by("-pk").values_list("created_at", flat=True)
    return newest.first()


def _count_hours(study: Study, *, until: datetime) -> tuple[Hour, ...]:
    """Return the hours up to a time, including empty ones; for a closed study, those before its last judgment."""
    end = until.replace(minute=0, second=0, microsecond=0)
    start = end - timedelta(hours=HOURS - 1)
    came = Judgment.objects.filter(rater__study=study, created_at__gte=start)
    counted = _group_by_hour(came)
    # Other roles have few judgments, so subtract them instead of filtering all by role.
    for hour, n in _group_by_hour(came.filter(item__task__role__in=_APART, item__task__study=study)).items():
        counted[hour] -= n
    hours = (start + timedelta(hours=number) for number in range(HOURS))
    return tuple(Hour(hour, counted.get(hour, 0)) for hour in hours)


def _group_by_hour(judgments: QuerySet[Judgment]) -> dict[datetime, int]:
    return dict(judgments.order_by().annotate(hour=TruncHour("created_at")).values_list("hour").annotate(n=Count("pk")))


def _count_completion(study: Study, facts: StudyFacts) -> tuple[Completion, ...]:
    """Return how many items of main tasks have 0, 1, 2, ... judgments, including empty counts up to the planned number.

    It uses two nested groupings, which Django's querysets cannot express.
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
    # The index of leases finds them, for any number of submitted tasks.
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
    """Return the stages that raters reached, by outcome; those who finished are included for comparison."""
    given = Assignment.objects.filter(rater=OuterRef("pk"))
    roles = (TaskRole.TRAINING, TaskRole.QUALIFICATION, TaskRole.MAIN)
    # An EXISTS per rater stops at the first task found.
    had = {f"had_{role}": Exists(given.filter(task__role=role)) for role in roles}
    raters = Rater.objects.filter(study=study, is_placeholder=False).order_by().annotate(**had)
    counts: dict[tuple[int, str], int] = {}
    for outcome, *stages in raters.values_list("outcome", *had):
        key = max((position for position, was in enumerate(stages, start=1) if was), default=0), outcome
        counts[key] = counts.get(key, 0) + 1
    return tuple(Dropout(STAGES[stage], outcome, n) for (stage, outcome), n in sorted(counts.items()))

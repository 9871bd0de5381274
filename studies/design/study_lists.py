"""The progress of studies; each function reads many studies in a fixed number of queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from studies.enums import AssignmentState, TaskRole
from studies.models import Assignment, Judgment, ScoringRequest, Slot, Study


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """The numbers of planned and filled slots; a study of published judgments has no slots."""

    filled: int
    planned: int

    @property
    def percent(self) -> int:
        """The percentage of filled slots, rounded down, so that 100 means done; 0 without slots."""
        return 100 * self.filled // self.planned if self.planned else 0


@dataclass(frozen=True, slots=True)
class StudySummary:
    """One row of the list of studies; its newest run is only known where it was asked for.

    `has_scores` is true if its dataset has scores, also those of a command, or of a run of another study with this
    dataset, as clones and pilots have.
    """

    study: Study
    progress: StudyProgress
    n_judgments: int
    last_judgment: datetime | None
    last_run: ScoringRequest | None = None
    has_scores: bool = False


def summarize_studies(studies: Sequence[Study]) -> tuple[StudySummary, ...]:
    """Return the summaries of main tasks in the same order, in four queries for any number of studies."""
    progress = measure_progress(studies)
    # Join by the rater instead of item and task, which involves far fewer rows.
    judged = {
        row["rater__study"]: row
        for row in Judgment.objects.filter(rater__study__in=studies)
        .order_by()
        .values("rater__study")
        .annotate(n=Count("pk"), last=Max("created_at"))
    }
    # Other roles have few judgments, so subtract them instead of filtering all judgments by role.
    roles = [role for role in TaskRole if role != TaskRole.MAIN]
    apart = _count_by_study(
        Judgment.objects.filter(item__task__role__in=roles), path="item__task__study", studies=studies
    )
    return tuple(
        StudySummary(
            study=study,
            progress=progress[study.pk],
            n_judgments=judged.get(study.pk, {}).get("n", 0) - apart.get(study.pk, 0),
            last_judgment=judged.get(study.pk, {}).get("last"),
        )
        for study in studies
    )


def measure_progress(studies: Sequence[Study]) -> dict[int, StudyProgress]:
    """Return the progress of each study by primary key, in two queries."""
    # A held slot is leased or filled. Leases are few and indexed, while there may be half a million submitted
    # assignments.
    slots = {
        study: (n, held)
        for study, n, held in Slot.objects.filter(study__in=studies)
        .order_by()
        .values_list("study")
        .annotate(n=Count("pk"), held=Count("pk", filter=Q(is_held=True)))
    }
    live = Assignment.objects.filter(state=AssignmentState.LEASED, slot__isnull=False)
    leased = _count_by_study(live, path="study", studies=studies)
    return {
        study.pk: StudyProgress(
            filled=slots.get(study.pk, (0, 0))[1] - leased.get(study.pk, 0), planned=slots.get(study.pk, (0, 0))[0]
        )
        for study in studies
    }


def _count_by_study(rows: QuerySet[Any], *, path: str, studies: Sequence[Study]) -> dict[int, int]:
    counted = rows.filter(**{f"{path}__in": studies}).order_by().values_list(path).annotate(n=Count("pk"))
    return dict(counted)

"""What visitors see of public studies: no drafts, no raters and no single judgments."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery

from studies.access.publicity import listed_studies, public_reports
from studies.design.study_design import StudyDesign
from studies.design.study_lists import StudySummary, summarize_studies
from studies.enums import PanelKind, StudyState, TaskRole
from studies.models import FrozenReport, Study, StudyVersion, Task


@dataclass(frozen=True, slots=True)
class PublicStudy:
    """A public study.

    Attributes:
        summary: The study with its progress and number of judgments.
        design: Its newest design.
        n_tasks: The number of main tasks.
        reports: Its public reports, newest first, without their content.
    """

    summary: StudySummary
    design: StudyDesign
    n_tasks: int
    reports: tuple[FrozenReport, ...]

    @property
    def study(self) -> Study:
        return self.summary.study

    @property
    def is_open_to_all(self) -> bool:
        """Whether everybody may judge: the study is open, and its raters come by its link, not from a panel."""
        return self.study.state == StudyState.OPEN and self.design.panel.kind == PanelKind.LINK

    @property
    def minutes(self) -> int | None:
        """How long the tasks of a session take, rounded up to minutes; None if the design does not say."""
        n = self.design.tasks_per_session or self.n_tasks
        return -(-n * self.design.task_seconds // 60) or None


def find_public_studies(studies: QuerySet[Study] | None = None) -> tuple[PublicStudy, ...]:
    """Return these public studies by title, or all that are listed, in a fixed number of queries."""
    shown = (listed_studies() if studies is None else studies).select_related("dataset").order_by("title", "pk")
    newest = StudyVersion.objects.filter(study=OuterRef("pk")).order_by("-number").values("design")[:1]
    reports = public_reports().defer("content", "facts").order_by("-number")
    rows = list(
        shown.annotate(newest_design=Subquery(newest)).prefetch_related(
            Prefetch("reports", reports, to_attr="public_reports")
        )
    )
    counted = _count_tasks(rows)
    return tuple(
        PublicStudy(
            summary=summary,
            design=StudyDesign.from_json(row.newest_design) if row.newest_design else StudyDesign(),
            n_tasks=counted.get(row.pk, 0),
            reports=tuple(row.public_reports),
        )
        for row, summary in zip(rows, summarize_studies(rows), strict=True)
    )


def _count_tasks(studies: Sequence[Study]) -> dict[int, int]:
    tasks = Task.objects.filter(study__in=studies, role=TaskRole.MAIN).order_by()
    return dict(tasks.values_list("study").annotate(n=Count("pk")))

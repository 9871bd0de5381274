"""What waits for a person across studies, and the newest runs of studies for their list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Max, Q, QuerySet
from django.urls import reverse

from studies.design.study_lists import StudySummary, measure_progress
from studies.enums import MemberRole, RequestState, StudyState
from studies.models import FrozenReport, Run, ScoringInput, ScoringRequest, Study, StudyMember

MOST: Final = 8
"""The largest number of things that are listed."""
_MAY_CHANGE: Final = (MemberRole.EDITOR,)
_MAY_ANALYSE: Final = (MemberRole.EDITOR, MemberRole.ANALYST)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that a person can do next: the study, what it is in a sentence, and the path of the page for it."""

    study: Study
    what: str
    page: str


def list_waiting(user: Any) -> tuple[Waiting, ...]:
    """Return what waits for the owner, editors and analysts of studies, in six queries for any number of studies.

    Archived studies, and those that a person may see only as a superuser, are not included.
    """
    own, analysed = _find_studies(user, _MAY_CHANGE), _find_studies(user, _MAY_ANALYSE)
    found = [*_find_failed(analysed), *_find_stale(analysed), *_find_filled(own), *_find_drafts(own)]
    return tuple(found[:MOST])


def add_last_runs(summaries: Sequence[StudySummary]) -> tuple[StudySummary, ...]:
    """Return the summaries with the newest run of each study, and whether there are scores, in two queries."""
    newest = _find_newest([each.study for each in summaries])
    digests = Run.objects.filter(finished_at__isnull=False).values("input_digest")
    inputs = ScoringInput.objects.filter(dataset__in={each.study.dataset_id for each in summaries}, digest__in=digests)
    scored = set(inputs.order_by().values_list("dataset", flat=True).distinct())
    return tuple(
        replace(each, last_run=newest.get(each.study.pk), has_scores=each.study.dataset_id in scored)
        for each in summaries
    )


def _find_studies(user: Any, roles: Sequence[MemberRole]) -> QuerySet[Study]:
    shared = StudyMember.objects.filter(user=user, role__in=roles).values("study")
    return Study.objects.filter(Q(owner=user) | Q(pk__in=shared), archived_at=None)


def _find_newest(studies: Any) -> dict[int, ScoringRequest]:
    newest = ScoringRequest.objects.filter(study__in=studies).order_by().values("study").annotate(last=Max("pk"))
    runs = ScoringRequest.objects.filter(pk__in=newest.values("last")).select_related("study").order_by("-pk")
    return {run.study_id: run for run in runs}


def _find_failed(studies: Any) -> Iterator[Waiting]:
    for run in _find_newest(studies).values():
        if run.state == RequestState.FAILED:
            page = reverse("studies:run", args=[run.study.name, run.pk])
            yield Waiting(run.study, "The last run of metrics failed", page)


def _find_stale(studies: Any) -> Iterator[Waiting]:
    newest = FrozenReport.objects.filter(study__in=studies).order_by().values("study").annotate(last=Max("pk"))
    stale = FrozenReport.objects.filter(pk__in=newest.values("last"), stale_since__isnull=False)
    for report in stale.select_related("study").defer("content", "facts").order_by("-pk"):
        page = reverse("studies:report", args=[report.study.name, report.number])
        yield Waiting(report.study, f"Report {report.number} is stale: create a new one", page)


def _find_filled(studies: Any) -> Iterator[Waiting]:
    opened = list(studies.filter(state=StudyState.OPEN).order_by("title", "pk"))
    progress = measure_progress(opened)
    for study in opened:
        if 0 < progress[study.pk].planned == progress[study.pk].filled:
            yield Waiting(study, "All tasks are done: close the study", reverse("studies:study", args=[study.name]))


def _find_drafts(studies: Any) -> Iterator[Waiting]:
    for study in studies.filter(state=StudyState.DRAFT).order_by("-created_at", "-pk")[:MOST]:
        page = reverse("studies:design", args=[study.name])
        yield Waiting(study, "Draft: complete the design and open the study", page)

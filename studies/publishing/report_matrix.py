"""The benchmark matrix of several studies, from their frozen reports."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from correlation.errors import CorrelationInputError
from correlation.reports import Report
from correlation.reports.json_form import read_report
from correlation.reports.matrix import BenchmarkMatrix, build_matrix
from studies.models import FrozenReport, Study
from studies.scoring.stored_scores import read_version


@dataclass(frozen=True, slots=True)
class StudyMatrix:
    """A matrix and the reports that it is made of, one per study, in the order of its columns.

    The notes of the matrix are on stale reports, on judgments that are not of people and on metrics whose versions
    differ; the reports' own notes come with them.
    """

    matrix: BenchmarkMatrix
    reports: tuple[FrozenReport, ...]


def find_human_reports(studies: QuerySet[Study]) -> list[FrozenReport]:
    """Return the newest reports of studies in which people judged: neither simulated nor computed."""
    return find_newest_reports(studies.filter(simulation_of=None, is_computed=False))


def find_newest_reports(studies: Iterable[Study]) -> list[FrozenReport]:
    """Return the newest report of each study that has one and that no removed judgment has made stale."""
    reports = FrozenReport.objects.filter(study__in=studies, stale_since=None).select_related("study")
    newest = reports.order_by("study__name", "-number")
    # SQLite has no DISTINCT ON.
    by_study: dict[int, FrozenReport] = {}
    for report in newest.defer("content"):
        by_study.setdefault(report.study_id, report)
    return list(by_study.values())


def make_matrix(frozen: Sequence[FrozenReport]) -> StudyMatrix:
    """Join frozen reports of different studies.

    Raises:
        CorrelationInputError: Two reports are of one study.
    """
    reports = {each.study.name: read_report(each.content) for each in frozen}
    if len(reports) < len(frozen):
        raise CorrelationInputError(
            f"a study has one column in a matrix, got: {', '.join(f'{one.study.name}:{one.number}' for one in frozen)}"
        )
    notes = [
        f"Report {one.number} of {one.study.name} is stale: {one.stale_reason}." for one in frozen if one.stale_since
    ]
    notes += [f"The judgments of {one.study.name} are {kind}." for one in frozen if (kind := _find_kind(one))]
    notes += [f"{name}: {note}." for name, report in reports.items() for note in report.notes]
    return StudyMatrix(build_matrix(reports, notes=[*notes, *_compare_versions(reports)]), tuple(frozen))


def _find_kind(frozen: FrozenReport) -> str:
    kinds = {"is_simulated": "simulated", "is_computed": "computed, not human"}
    return next((kind for fact, kind in kinds.items() if frozen.facts.get(fact)), "")


def _compare_versions(reports: dict[str, Report]) -> list[str]:
    versions: dict[str, dict[str, list[str]]] = {}
    for name, report in reports.items():
        for metric in report.metrics:
            version = read_version(metric.signature.partition(" / ")[0].removesuffix("|negated"))
            versions.setdefault(metric.id, {}).setdefault(version, []).append(name)
    return [
        f"{metric}: " + "; ".join(f"version {version} on {', '.join(names)}" for version, names in found.items()) + "."
        for metric, found in versions.items()
        if len(found) > 1
    ]

"""The benchmark matrix of several studies, from their frozen reports."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from correlation.reports import Report
from correlation.reports.json_form import read_report
from correlation.reports.matrix import BenchmarkMatrix, build_matrix
from studies.models import FrozenReport, Study
from studies.scoring.stored_scores import read_version


@dataclass(frozen=True, slots=True)
class StudyMatrix:
    """A matrix and the reports that it is made of.

    Attributes:
        matrix: Its columns are in the order of the reports.
        reports: One frozen report per study.
        notes: Sentences on stale reports, the reports' own notes, and metrics whose versions differ.
    """

    matrix: BenchmarkMatrix
    reports: tuple[FrozenReport, ...]
    notes: tuple[str, ...]


def find_newest_reports(studies: Iterable[Study]) -> list[FrozenReport]:
    """Return the newest report of each study that has one and that no removed judgment has made stale."""
    reports = FrozenReport.objects.filter(study__in=studies, stale_since=None).select_related("study")
    newest = reports.order_by("study__name", "-number")
    # SQLite has no DISTINCT ON.
    by_study: dict[int, FrozenReport] = {}
    for report in newest.defer("content", "facts"):
        by_study.setdefault(report.study_id, report)
    return list(by_study.values())


def make_matrix(frozen: Sequence[FrozenReport]) -> StudyMatrix:
    """Join frozen reports of different studies."""
    reports = {each.study.name: read_report(each.content) for each in frozen}
    notes = [
        f"Report {one.number} of {one.study.name} is stale: {one.stale_reason}." for one in frozen if one.stale_since
    ]
    notes += [f"{name}: {note}." for name, report in reports.items() for note in report.notes]
    return StudyMatrix(build_matrix(reports), tuple(frozen), (*notes, *_compare_versions(reports)))


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

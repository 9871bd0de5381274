"""The benchmark matrix of several studies, from their frozen reports."""

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from correlation.errors import CorrelationInputError
from correlation.protocols.row import ResultRow
from correlation.reports import Report
from correlation.reports.json_form import read_report
from correlation.reports.matrix import BenchmarkMatrix, build_matrix
from correlation.reports.matrix_forms import head_column
from correlation.reports.values import ReportCeiling
from studies.models import FrozenReport, Study
from studies.scoring.stored_scores import read_version


def find_human_reports(studies: QuerySet[Study]) -> list[FrozenReport]:
    """Return the newest reports of studies in which people judged: neither simulated nor computed."""
    return find_newest_reports(studies.filter(is_simulated=False, is_computed=False))


def find_newest_reports(studies: Iterable[Study], *, among: QuerySet[FrozenReport] | None = None) -> list[FrozenReport]:
    """Return the newest report, among these or all, of each study that has one that no removed judgment made stale."""
    usable = (FrozenReport.objects.all() if among is None else among).filter(stale_since=None)
    newest = usable.filter(study=OuterRef("study")).order_by("-number").values("pk")[:1]
    found = usable.filter(study__in=studies, pk=Subquery(newest))
    return list(found.select_related("study").order_by("study__name"))


def make_matrix(frozen: Sequence[FrozenReport]) -> BenchmarkMatrix:
    """Join frozen reports of different studies, with columns in their order.

    Its notes are on stale reports, on judgments that are not of people and on metrics whose versions differ; the
    reports' own notes come with them.

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
    return build_matrix(reports, notes=[*notes, *_compare_versions(reports)])


def describe_column(report: Report) -> dict[str, Any]:
    """Return the column of a report alone as JSON, for pages that must not parse whole reports; empty without rows."""
    if not report.rows:
        return {}
    matrix = build_matrix({"": report})
    (column,) = matrix.columns
    metrics = {line.metric: estimate for line in matrix.lines if (estimate := _describe_estimate(line.cells[0]))}
    return {
        "measure": head_column(column).removeprefix(": "),
        "people": _describe_estimate(column.ceiling),
        "metrics": metrics,
        "cautions": list(column.cautions),
    }


def _describe_estimate(cell: ResultRow | ReportCeiling | None) -> dict[str, float | None] | None:
    if cell is None or cell.value is None or not isfinite(cell.value):
        return None
    return {"value": cell.value, "low": cell.low, "high": cell.high}


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

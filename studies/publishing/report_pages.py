"""The content of a frozen report's page, and its parts as files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from correlation.figures import draw_differences, draw_forest, render
from correlation.reports import Report
from correlation.reports.forms import TABLE_FORMS
from correlation.reports.layout import (
    TITLES,
    TableLine,
    arrange_ceilings,
    arrange_metrics,
    head_columns,
    list_signatures,
    write_sentences,
)
from correlation.reports.records import print_csv
from correlation.reports.values import ReportDifference
from studies.analysis.figures import describe_forest, name_measure
from studies.models import FrozenReport
from studies.publishing.bundles.archive import print_json
from studies.publishing.methods.heds import write_heds
from studies.publishing.methods.text import write_methods
from studies.shared.content_types import FIGURE_FORMATS
from studies.shared.errors import Refusal


class NoSuchPart(Refusal):
    """A report has no part with this name and format."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The content of a report's page.

    Attributes:
        heads: The headings of the columns with numbers.
        lines, ceilings: The rows of metrics and of people, with one cell for each heading.
        differences: The differences in the measure that ranks the metrics.
        forest_text, heatmap_text: Text descriptions of the figures; the second is empty if no differences were tested.
    """

    report: Report
    heads: tuple[str, ...]
    lines: tuple[TableLine, ...]
    ceilings: tuple[TableLine, ...]
    sentences: tuple[str, ...]
    signatures: tuple[str, ...]
    differences: tuple[ReportDifference, ...]
    measure: str
    methods: tuple[str, ...]
    deviations: tuple[str, ...]
    forest_text: str
    heatmap_text: str


def lay_out(frozen: FrozenReport, report: Report) -> ReportPage:
    """Return the content of a report's page."""
    ranking = report.ranking_measure
    differences = tuple(each for each in report.differences if each.measure == ranking)
    measure = name_measure(ranking)
    return ReportPage(
        report=report,
        heads=head_columns(report, TITLES),
        lines=arrange_metrics(report),
        ceilings=arrange_ceilings(report),
        sentences=write_sentences(report),
        signatures=list_signatures(report),
        differences=differences,
        measure=measure,
        methods=write_methods(frozen.facts, report).paragraphs,
        deviations=tuple(frozen.facts.get("deviations", ())),
        forest_text=describe_forest(report),
        heatmap_text=_describe_differences(differences, measure),
    )


def write_part(frozen: FrozenReport, report: Report, *, part: str, file_format: str) -> bytes:
    """Return a part of a report as a file.

    Raises:
        NoSuchPart: There is no part with this name and format.
    """
    write = PARTS.get((part, file_format))
    if write is None:
        raise NoSuchPart(f"a report has no {part}.{file_format}")
    return write(frozen, report)


def _write_text(write: Callable[[Report], str]) -> Callable[[FrozenReport, Report], bytes]:
    return lambda _, report: write(report).encode()


def _write_figure(
    draw: Callable[[Report], dict[str, Any]], file_format: str
) -> Callable[[FrozenReport, Report], bytes]:
    return lambda _, report: render(draw(report), file_format)


def _draw_heatmap(report: Report) -> dict[str, Any]:
    if not report.differences:
        raise NoSuchPart("no differences were tested")
    return draw_differences(report)


PARTS: Mapping[tuple[str, str], Callable[[FrozenReport, Report], bytes]] = MappingProxyType(
    {
        **{("table", form): _write_text(TABLE_FORMS[form]) for form in ("md", "tex", "csv")},
        ("table", "json"): lambda frozen, _: frozen.content.encode(),
        ("differences", "csv"): _write_text(partial(print_csv, part="differences")),
        ("methods", "txt"): lambda frozen, report: write_methods(frozen.facts, report).to_text().encode(),
        ("methods", "tex"): lambda frozen, report: write_methods(frozen.facts, report).to_latex().encode(),
        ("heds", "json"): lambda frozen, report: print_json(write_heds(frozen.facts, report)),
        **{("forest", each): _write_figure(draw_forest, each) for each in FIGURE_FORMATS},
        ("forest-narrow", "svg"): _write_figure(partial(draw_forest, size="narrow"), "svg"),
        **{("heatmap", each): _write_figure(_draw_heatmap, each) for each in FIGURE_FORMATS},
    }
)
"""(name, format) of a file -> its writer."""


def _describe_differences(differences: tuple[ReportDifference, ...], measure: str) -> str:
    if not differences:
        return ""
    told = [
        f"{each.first} above {each.second} by {each.difference:.3f}{_tell_p(each.p_adjusted)}"
        for each in differences
        if each.difference is not None
    ]
    return f"Heatmap of differences, {measure}: {'; '.join(told) or 'none is defined'}."


def _tell_p(p_value: Any) -> str:
    return "" if p_value is None else f", p = {p_value:.3f}"

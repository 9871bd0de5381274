"""The content of a frozen report's page, and its parts as files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from correlation.errors import CorrelationInputError
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
    write_cautions,
    write_sentences,
)
from correlation.reports.records import print_csv
from correlation.reports.values import ReportDifference
from studies.analysis.figures import describe_forest, name_measure, write_study_headline
from studies.models import FrozenReport
from studies.publishing.bundles.archive import print_json
from studies.publishing.methods.heds import drop_unknown, write_heds
from studies.publishing.methods.text import Methods, write_methods
from studies.publishing.report_systems import FACT, SystemsSection, arrange_section, write_systems
from studies.publishing.report_systems import PARTS as SYSTEM_PARTS
from studies.shared.content_types import FIGURE_FORMATS
from studies.shared.errors import Refusal


class NoSuchPart(Refusal):
    """A report has no part with this name and format."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The content of a report's page.

    Attributes:
        headline: Which metric agrees best, as far as the tests support it.
        heads: The headings of the columns with numbers.
        lines, ceilings: The rows of metrics and of people, with one cell for each heading.
        cautions, sentences: What must be read before the table, and what explains it.
        differences: The differences in the measure that ranks the metrics.
        forest_text, heatmap_text: Text descriptions of the figures; the second is empty if no differences were tested.
        systems: The ranking of systems; None where there are fewer than two.
        missing: What only a person can supply to the methods text.
    """

    report: Report
    headline: str
    heads: tuple[str, ...]
    lines: tuple[TableLine, ...]
    ceilings: tuple[TableLine, ...]
    cautions: tuple[str, ...]
    sentences: tuple[str, ...]
    signatures: tuple[str, ...]
    differences: tuple[ReportDifference, ...]
    measure: str
    methods: tuple[str, ...]
    deviations: tuple[str, ...]
    forest_text: str
    heatmap_text: str
    systems: SystemsSection | None
    missing: tuple[str, ...]


def lay_out(frozen: FrozenReport, report: Report, *, for_readers: bool = False) -> ReportPage:
    """Return the content of a report's page; readers do not see placeholders of the methods text."""
    report = replace(report, title=frozen.shown_title)
    methods = write_methods(frozen.facts, report)
    ranking = report.ranking_measure
    differences = tuple(each for each in report.differences if each.measure == ranking)
    measure = name_measure(ranking)
    return ReportPage(
        report=report,
        headline=write_study_headline(report),
        heads=head_columns(report, TITLES),
        lines=arrange_metrics(report),
        ceilings=arrange_ceilings(report),
        cautions=write_cautions(report),
        sentences=write_sentences(report, with_cautions=False),
        signatures=list_signatures(report),
        differences=differences,
        measure=measure,
        methods=(methods.without_placeholders() if for_readers else methods).paragraphs,
        deviations=tuple(frozen.facts.get("deviations", ())),
        forest_text=describe_forest(report),
        heatmap_text=_describe_differences(differences, measure),
        systems=arrange_section(frozen.facts),
        missing=methods.missing,
    )


def write_part(
    frozen: FrozenReport, report: Report, *, part: str, file_format: str, for_readers: bool = False
) -> bytes:
    """Return a part of a report as a file; readers get no placeholders.

    Raises:
        NoSuchPart: There is no part with this name and format.
    """
    if part.startswith("systems-"):
        try:
            return write_systems(frozen.facts, part, file_format)
        except CorrelationInputError as error:
            raise NoSuchPart(str(error)) from error
    name = (part, file_format)
    write = _FOR_READERS.get(name) if for_readers and name in _FOR_READERS else PARTS.get(name)
    if write is None:
        raise NoSuchPart(f"a report has no {part}.{file_format}")
    return write(frozen, replace(report, title=frozen.shown_title))


def _write_text(write: Callable[[Report], str]) -> Callable[[FrozenReport, Report], bytes]:
    return lambda _, report: write(report).encode()


def _write_figure(
    draw: Callable[[Report], dict[str, Any]], file_format: str
) -> Callable[[FrozenReport, Report], bytes]:
    return lambda _, report: render(draw(report), file_format)


def _write_readable(frozen: FrozenReport, report: Report) -> Methods:
    return write_methods(frozen.facts, report).without_placeholders()


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
"""(name, format) of a file on metrics -> its writer."""

_FOR_READERS: Mapping[tuple[str, str], Callable[[FrozenReport, Report], bytes]] = MappingProxyType(
    {
        ("methods", "txt"): lambda frozen, report: _write_readable(frozen, report).to_text().encode(),
        ("methods", "tex"): lambda frozen, report: _write_readable(frozen, report).to_latex().encode(),
        ("heds", "json"): lambda frozen, report: print_json(drop_unknown(write_heds(frozen.facts, report))),
    }
)
"""The writers of files that would have placeholders."""

ALL_PARTS: tuple[tuple[str, str], ...] = (
    *PARTS,
    *((part, each) for part, formats in SYSTEM_PARTS.items() for each in formats),
)
"""(name, format) of every file."""


def list_parts(frozen: FrozenReport) -> list[str]:
    """Return the names of the files of a report, with their formats."""
    parts = ALL_PARTS if frozen.facts.get(FACT) else PARTS
    return [f"{part}.{file_format}" for part, file_format in sorted(parts)]


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

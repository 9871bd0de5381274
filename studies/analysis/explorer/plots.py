"""The figures of the explorer, their text alternatives, and all of its output as files."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from correlation.figures import draw_differences, draw_forest, draw_multiverse, render
from correlation.protocols.multiverse import Multiverse
from correlation.reports import Report
from correlation.reports.forms import TABLE_FORMS
from studies.analysis.explorer.choice import Choice
from studies.analysis.explorer.loaded_study import NothingToExplore, OpenedStudy
from studies.analysis.explorer.report import explore, explore_multiverse, explore_whole, find_whole, load_points
from studies.analysis.explorer.tables import (
    TABLE_PRINTERS,
    PlainTable,
    print_csv,
    tabulate_differences,
    tabulate_multiverse,
    tabulate_scatter,
    tabulate_universes,
)
from studies.analysis.figures import draw_scatter
from studies.analysis.scatter.points import write_points
from studies.shared.content_types import PLOT_FORMATS


def make_file(
    part: str, file_format: str, opened: OpenedStudy, choice: Choice, *, metric: str, whole: bool = True
) -> bytes:
    """Return one part of the explorer as a file.

    Args:
        part: A name in `PARTS`.
        file_format: One of the part's formats.
        opened: The study.
        choice: The options.
        metric: The metric of the scatter plot.
        whole: Whether to wait for intervals; otherwise the part is made from those available.

    Raises:
        NothingToExplore: There is no such file for these options.
    """
    if part not in PARTS or file_format not in PARTS[part][0]:
        raise NothingToExplore(f"there is no {part}.{file_format}")
    return PARTS[part][1](opened, choice, file_format, metric, whole)


def describe_differences(report: Report) -> str:
    """Return the text alternative of the heatmap."""
    found = [each for each in report.differences if each.measure == report.ranking_measure]
    told = [each for each in found if each.p_adjusted is not None and each.p_adjusted < report.design.alpha]
    return (
        f"Heatmap of the differences between metrics: {len(told)} of {len(found)} are significant at "
        f"{report.design.alpha:g} after correction. All of them are in the table of differences."
    )


def describe_multiverse(multiverse: Multiverse) -> str:
    """Return the text alternative of the multiverse figure."""
    order = sorted(range(len(multiverse.metrics)), key=lambda place: (-multiverse.wins[place], place))
    told = ", ".join(f"{multiverse.metrics[place]} {100 * multiverse.wins[place]:.0f} %" for place in order)
    n_universes = len(multiverse.universes)
    return f"Ranks over {n_universes} analysis variants; share in which each metric alone ranks first: {told}."


def _load_report(opened: OpenedStudy, choice: Choice, whole: bool) -> Report:
    explored = explore_whole(opened, choice) if whole else find_whole(opened, choice) or explore(opened, choice)
    return replace(explored.report, title=opened.judged.title)


def _make_table(opened: OpenedStudy, choice: Choice, file_format: str, _metric: str, whole: bool) -> bytes:
    report = _load_report(opened, choice, whole)
    return TABLE_FORMS[file_format](report).encode()


def _make_differences(opened: OpenedStudy, choice: Choice, file_format: str, _metric: str, whole: bool) -> bytes:
    report = _load_report(opened, choice, whole)
    if not report.differences:
        raise NothingToExplore("; ".join(report.cautions) or "no differences were tested; choose intervals and a test")
    if file_format in PLOT_FORMATS:
        return render(draw_differences(report), file_format)
    return TABLE_PRINTERS[file_format](tabulate_differences(report)).encode()


def _make_forest(opened: OpenedStudy, choice: Choice, file_format: str, _metric: str, whole: bool) -> bytes:
    report = _load_report(opened, choice, whole)
    return TABLE_FORMS["csv"](report).encode() if file_format == "csv" else render(draw_forest(report), file_format)


def _make_narrow_forest(opened: OpenedStudy, choice: Choice, file_format: str, _metric: str, whole: bool) -> bytes:
    return render(draw_forest(_load_report(opened, choice, whole), size="narrow"), file_format)


def _make_scatter(opened: OpenedStudy, choice: Choice, file_format: str, metric: str, _whole: bool) -> bytes:
    points = load_points(opened, choice, metric=metric)
    if file_format == "csv":
        return "".join(write_points(points)).encode()
    if file_format in PLOT_FORMATS:
        return render(draw_scatter(points), file_format)
    return _make_scatter_table(opened, choice, file_format, metric, _whole)


def _make_narrow_scatter(opened: OpenedStudy, choice: Choice, file_format: str, metric: str, _whole: bool) -> bytes:
    return render(draw_scatter(load_points(opened, choice, metric=metric), size="narrow"), file_format)


def _make_scatter_table(opened: OpenedStudy, choice: Choice, file_format: str, metric: str, _whole: bool) -> bytes:
    return TABLE_PRINTERS[file_format](make_scatter_table(opened, choice, metric=metric)).encode()


def make_scatter_table(opened: OpenedStudy, choice: Choice, *, metric: str) -> PlainTable:
    """Return the data of the scatter plot of a metric; raises the errors of `load_points`."""
    points = load_points(opened, choice, metric=metric)
    return tabulate_scatter(points, title=opened.judged.title, signature=explore(opened, choice).report.protocol)


def make_multiverse_table(opened: OpenedStudy, choice: Choice, multiverse: Multiverse) -> PlainTable:
    """Return the data of the multiverse figure."""
    signature = explore(opened, choice).report.protocol
    return tabulate_multiverse(multiverse, title=opened.judged.title, signature=signature)


def _make_multiverse(opened: OpenedStudy, choice: Choice, file_format: str, _metric: str, _whole: bool) -> bytes:
    multiverse = explore_multiverse(opened, choice)
    if file_format == "csv":
        return print_csv(tabulate_universes(multiverse)).encode()
    if file_format in PLOT_FORMATS:
        return render(draw_multiverse(multiverse, title=opened.judged.title), file_format)
    return TABLE_PRINTERS[file_format](make_multiverse_table(opened, choice, multiverse)).encode()


Maker = Callable[[OpenedStudy, Choice, str, str, bool], bytes]
PARTS: Final[Mapping[str, tuple[tuple[str, ...], Maker]]] = MappingProxyType(
    {
        "table": (("csv", "md", "tex", "json"), _make_table),
        "differences": ((*PLOT_FORMATS, "csv", "md", "tex"), _make_differences),
        "forest": ((*PLOT_FORMATS, "csv"), _make_forest),
        "forest-narrow": (("svg", "vega"), _make_narrow_forest),
        "scatter": ((*PLOT_FORMATS, "csv", "md", "tex"), _make_scatter),
        "scatter-narrow": (("svg", "vega"), _make_narrow_scatter),
        "scatter-table": (("csv", "md", "tex"), _make_scatter_table),
        "multiverse": ((*PLOT_FORMATS, "csv", "md", "tex"), _make_multiverse),
    }
)
"""Part of the explorer -> the extensions of its files, and the function that makes them."""
SCATTERS: Final = MappingProxyType({"scatter": "wide", "scatter-narrow": "narrow"})
"""Part of the explorer that is a scatter plot -> its size."""
FORMATS: Final = sorted({each for formats, _ in PARTS.values() for each in formats})

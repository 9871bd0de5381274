"""The benchmark matrix as a figure for visitors: published data sets, and public reports on judgments of people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from studies.access.publicity import listed_studies, public_reports
from studies.models import FrozenReport
from studies.publishing.report_matrix import find_newest_reports
from studies.scoring.plugins.published import PublishedColumn, list_published_columns

DEVELOPED_ON: Final = frozenset({"critic-reference"})
"""Metrics whose choices were made on the published data sets, so that their values there are optimistic."""
_STEPS: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
_MOST_TICKS: Final = 3
_MARGIN: Final = 4.0
"""The percentage of a cell's width that stays empty at both ends."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient with its interval; `low` and `high` are None without one."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class FigureCell:
    """An estimate, and its places in the cell in percent of the width.

    `is_best` says whether it is the highest of its column, where metrics that were developed on it do not count.
    """

    estimate: Estimate
    at: float
    low_at: float | None
    high_at: float | None
    is_best: bool

    @property
    def width(self) -> float:
        """The width of the interval; 0 without one."""
        return 0.0 if self.low_at is None or self.high_at is None else round(self.high_at - self.low_at, 2)


@dataclass(frozen=True, slots=True)
class Tick:
    """A value on the axis of a column, and its place in percent of the width."""

    value: float
    at: float


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """A data set or a public study.

    Attributes:
        name: The name of the data set or study.
        measure: The coefficient, as in headings.
        ticks: The axis.
        people: The human ceiling, or None.
        report: The public report of a study; None for a published data set.
        cautions: Why its numbers must be read with care, as sentences without a full stop.
    """

    name: str
    measure: str
    ticks: tuple[Tick, ...]
    people: FigureCell | None
    report: FrozenReport | None
    cautions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A metric with the pair of cell and column for each column; the cell is None where it has no value."""

    metric: str
    is_optimistic: bool
    pairs: tuple[tuple[FigureCell | None, FigureColumn], ...]


@dataclass(frozen=True, slots=True)
class MatrixFigure:
    """Metrics against data sets; `headline` is a sentence on the published ones."""

    headline: str
    columns: tuple[FigureColumn, ...]
    lines: tuple[FigureLine, ...]

    @property
    def n_studies(self) -> int:
        """The number of columns that are studies of this site."""
        return sum(column.report is not None for column in self.columns)


@dataclass(frozen=True, slots=True)
class _Source:
    """A column before it is drawn."""

    name: str
    measure: str
    people: Estimate | None
    metrics: Mapping[str, Estimate]
    report: FrozenReport | None = None
    cautions: tuple[str, ...] = ()

    def is_fair_to(self, metric: str) -> bool:
        """Whether a metric was not developed on these judgments."""
        return self.report is not None or metric not in DEVELOPED_ON


def find_public_matrix() -> MatrixFigure:
    """Return the published data sets, followed by the newest up-to-date public report of each public study of people.

    Studies with simulated or computed judgments are left out.
    """
    return draw_matrix(list_published_columns(), _find_reports())


def draw_matrix(published: Sequence[PublishedColumn], reports: Sequence[FrozenReport]) -> MatrixFigure:
    """Arrange columns; metrics stay in the order of the published ones, and those of reports only follow by name."""
    sources = [*map(_read_published, published), *map(_read_report, reports)]
    known = list(dict.fromkeys(name for column in published for name in column.metrics))
    others = sorted({name for source in sources for name in source.metrics} - set(known))
    drawn = [_draw(source) for source in sources]
    return MatrixFigure(
        headline=_write_headline(published),
        columns=tuple(column for column, _ in drawn),
        lines=tuple(
            FigureLine(name, name in DEVELOPED_ON, tuple((cells.get(name), column) for column, cells in drawn))
            for name in (*known, *others)
        ),
    )


def _find_reports() -> list[FrozenReport]:
    studies = listed_studies().filter(is_simulated=False, is_computed=False)
    found = find_newest_reports(studies, among=public_reports().defer("content", "facts"))
    return [each for each in found if each.column]


def _read_published(column: PublishedColumn) -> _Source:
    people = Estimate(**column.people) if column.people else None
    return _Source(
        column.study, column.measure, people, {name: Estimate(**cell) for name, cell in column.metrics.items()}
    )


def _read_report(frozen: FrozenReport) -> _Source:
    column = frozen.column
    return _Source(
        name=frozen.study.name,
        measure=column["measure"],
        people=Estimate(**column["people"]) if column["people"] else None,
        metrics={name: Estimate(**cell) for name, cell in column["metrics"].items()},
        report=frozen,
        cautions=tuple(column["cautions"]),
    )


def _draw(source: _Source) -> tuple[FigureColumn, dict[str, FigureCell]]:
    """Return a column with its cells, all on one axis from the lowest to the highest end of an interval."""
    shown = [*source.metrics.values(), *([source.people] if source.people else [])]
    ends = [end for each in shown for end in (each.value, each.low, each.high) if end is not None] or [0.0, 1.0]
    least, most = min(ends), max(ends)
    most = most if most > least else least + 1.0
    best = max((one.value for name, one in source.metrics.items() if source.is_fair_to(name)), default=None)

    def place(value: float) -> float:
        return round(_MARGIN + (100 - 2 * _MARGIN) * (value - least) / (most - least), 2)

    def draw(each: Estimate, *, is_best: bool = False) -> FigureCell:
        low, high = (None if end is None else place(end) for end in (each.low, each.high))
        return FigureCell(each, place(each.value), low, high, is_best)

    people = draw(source.people) if source.people else None
    ticks = tuple(Tick(value, place(value)) for value in _list_ticks(least, most))
    cells = {
        name: draw(each, is_best=source.is_fair_to(name) and each.value == best)
        for name, each in source.metrics.items()
    }
    return FigureColumn(source.name, source.measure, ticks, people, source.report, source.cautions), cells


def _list_ticks(least: float, most: float) -> list[float]:
    """Return the multiples of the smallest step of which at most `_MOST_TICKS` are between two values."""
    for step in _STEPS:
        ticks = [round(n * step, 2) for n in range(ceil(least / step), floor(most / step) + 1)]
        if len(ticks) <= _MOST_TICKS:
            break
    return ticks


def _write_headline(published: Sequence[PublishedColumn]) -> str:
    """Say which metric has the highest value on most data sets, among those that were not developed on them."""
    wins: dict[str, int] = {}
    for column in published:
        fair = {name: cell["value"] for name, cell in column.metrics.items() if name not in DEVELOPED_ON}
        for name, value in fair.items():
            wins[name] = wins.get(name, 0) + (value == max(fair.values()))
    if not wins:
        return "No metric has been compared with people yet"
    best, n = max(wins.items(), key=lambda item: item[1])
    if n == len(published):
        return f"{best} has the highest agreement with people on all {n} published data sets"
    rest = f"{best} has the highest agreement with people on {n} of {len(published)} published data sets"
    return f"No metric is best everywhere: {rest}"

"""The rankings of systems as a page shows them: for each criterion an answer, a figure, a table and the differences."""

from dataclasses import dataclass, replace

from correlation.ranking.values import RankedSystem, SystemRanking
from studies.analysis.explorer.tables import PlainTable
from studies.analysis.systems.files import describe_systems, tabulate_differences, write_headline
from studies.analysis.systems.ranking import StudyRanking


@dataclass(frozen=True, slots=True)
class SystemLine:
    """One system.

    Attributes:
        system: By the main measure.
        cells: By every measure, in the order of the heads.
    """

    system: RankedSystem
    cells: tuple[RankedSystem, ...]


@dataclass(frozen=True, slots=True)
class ShownRanking:
    """The part of a page about one criterion.

    Attributes:
        criterion: Its name; empty if there is only one.
        headline: The answer as a sentence.
        place: The number of the figure among the figures of the study.
        figure_text: The text alternative of the figure.
        heads: The measures, the main one first.
        lines: The systems, the best first.
        differences: The tested pairs by the main measure; None if they are not tested.
    """

    criterion: str
    headline: str
    place: int
    figure_text: str
    heads: tuple[str, ...]
    lines: tuple[SystemLine, ...]
    differences: PlainTable | None


def arrange_rankings(found: StudyRanking) -> tuple[ShownRanking, ...]:
    """Return the parts of the page, one for each criterion."""
    return tuple(_arrange(found, main, place) for place, main in enumerate(found.main))


def _arrange(found: StudyRanking, main: SystemRanking, place: int) -> ShownRanking:
    others = [
        each
        for each in found.rankings
        if each.criterion == main.criterion and each.measure != main.measure and each.reason is None
    ]
    columns = [main, *others]
    by_system = [{each.system: each for each in ranking.systems} for ranking in columns]
    return ShownRanking(
        criterion=main.criterion or "",
        headline=write_headline(found, main),
        place=place,
        figure_text=describe_systems(found, main),
        heads=tuple(found.name_measure(each) for each in columns),
        lines=tuple(SystemLine(each, tuple(cells[each.system] for cells in by_system)) for each in main.systems),
        differences=_drop_measure(tabulate_differences(replace(found, rankings=(main,)))) if main.is_tested else None,
    )


def _drop_measure(table: PlainTable) -> PlainTable:
    """Return a table of differences without the column that is the same in every row."""
    return replace(table, header=table.header[1:], n_names=table.n_names - 1, rows=tuple(row[1:] for row in table.rows))

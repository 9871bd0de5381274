"""Rankings of systems as tables, figures and files."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from correlation.errors import CorrelationInputError
from correlation.figures import draw_ranking, render
from correlation.figures.ranking import explain_marks
from correlation.ranking.values import SystemRanking
from studies.analysis.explorer.tables import TABLE_PRINTERS, PlainTable
from studies.analysis.systems.ranking import StudyRanking
from studies.shared.content_types import FIGURE_FORMATS
from studies.shared.files import check_output

FORMAT: Final = "accordance-systems@1"
TABLE: Final = "table"
DIFFERENCES: Final = "differences"
FOREST: Final = "forest"


def tabulate_ranking(found: StudyRanking) -> PlainTable:
    """Return one row for each system and measure, the best first."""
    several = len(found.rankings) > 1
    criteria = any(each.criterion for each in found.rankings)
    rows = tuple(
        (
            *((ranking.criterion,) if criteria else ()),
            *((found.name_measure(ranking),) if several else ()),
            each.system,
            each.letters,
            each.value,
            each.low,
            each.high,
            each.n,
            each.n_images,
            each.n_raters,
        )
        for ranking in found.rankings
        for each in ranking.systems
    )
    names = (*(("criterion",) if criteria else ()), *(("measure",) if several else ()), "system", "letters")
    value = "value" if several else found.name_measure(found.rankings[0])
    return PlainTable(
        title=f"{found.study}: systems by human judgments",
        header=(*names, value, "low", "high", "judgments", "images", "raters"),
        n_names=len(names),
        rows=rows,
        notes=(*explain(found), *dict.fromkeys(each.signature for each in found.rankings)),
    )


def tabulate_differences(found: StudyRanking) -> PlainTable:
    """Return one row for each tested pair of systems, the better one first."""
    rows = tuple(
        (
            " ".join(filter(None, (found.name_measure(ranking), ranking.criterion))),
            each.first,
            each.second,
            each.difference,
            each.low,
            each.high,
            each.p_value,
            each.p_adjusted,
        )
        for ranking in found.rankings
        for each in ranking.differences
    )
    return PlainTable(
        title=f"{found.study}: differences between systems",
        header=("measure", "better", "worse", "difference", "low", "high", "p", "p corrected"),
        n_names=3,
        rows=rows,
        digits=4,
        notes=tuple(dict.fromkeys(each.signature for each in found.rankings)),
    )


def explain(found: StudyRanking) -> tuple[str, ...]:
    """Return the sentences, without their full stop, that explain the numbers of all rankings."""
    told = [
        f"{found.name_measure(each)}{f', {each.criterion}' if each.criterion else ''}: undefined, {each.reason}"
        for each in found.rankings
        if each.reason
    ]
    for ranking in found.rankings:
        told += [sentence.removesuffix(".") for sentence in explain_marks(ranking)]
        told += [
            note if all(note in each.notes for each in found.rankings) else f"{found.name_measure(ranking)}: {note}"
            for note in ranking.notes
        ]
    if found.n_left_out:
        told.append(f"{found.n_left_out:,} comparisons of a system with itself are left out")
    return tuple(dict.fromkeys(told))


def list_cautions(found: StudyRanking) -> tuple[str, ...]:
    """Return the sentences, without their full stop, to read before the numbers."""
    return tuple(dict.fromkeys(caution for each in found.rankings for caution in each.cautions))


def write_headline(found: StudyRanking, ranking: SystemRanking) -> str:
    """Return the answer as a sentence, such as the title of a figure.

    >>> from correlation.ranking.rank import rank_by_means
    >>> ranking = rank_by_means(["a", "b"], [4, 2], image=["1", "2"], rater=["x", "x"])
    >>> write_headline(StudyRanking("s", "rating", (ranking,)), ranking)
    'a has the highest mean rating: 4.000'
    """
    best = ranking.systems[0]
    level = [each.system for each in ranking.systems if set(each.letters) & set(best.letters)]
    printed = f"{best.value:.3f}"
    if best.low is not None and best.high is not None:
        printed += f" [{best.low:.3f}, {best.high:.3f}]"
    ahead = f"{best.system} has the highest {found.name_measure(ranking)}: {printed}"
    if not ranking.is_tested:
        return ahead
    if len(level) == 1:
        return f"{ahead}, significantly above all others"
    return f"{ahead}, not significantly above {_join(level[1:])}"


def _join(names: list[str]) -> str:
    shown = names if len(names) <= 3 else [*names[:2], f"{len(names) - 2} others"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def draw_systems(
    found: StudyRanking, ranking: SystemRanking, *, size: str = "wide", has_title: bool = True
) -> dict[str, Any]:
    """Return the specification of the forest plot of one ranking; on a page the title is above the figure."""
    criterion = f"{ranking.criterion}: " if ranking.criterion else ""
    title = criterion + write_headline(found, ranking) if has_title else ""
    return draw_ranking(ranking, title=title, axis=found.name_measure(ranking), size=size)


def describe_systems(found: StudyRanking, ranking: SystemRanking) -> str:
    """Return the text alternative of the forest plot."""
    rows = "; ".join(
        f"{each.system} {'undefined' if each.value is None else f'{each.value:.3f}'}"
        + (f" [{each.low:.3f}, {each.high:.3f}]" if each.low is not None and each.high is not None else "")
        + (f", {each.letters}" if each.letters else "")
        for each in ranking.systems
    )
    return f"Forest plot of systems by {found.name_measure(ranking)}, best first: {rows}."


def print_json(found: StudyRanking) -> str:
    """Print all rankings as one JSON object; floats are exact, what is undefined is null."""
    record = {"format": FORMAT, **list_records(found)}
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def list_records(found: StudyRanking) -> dict[str, Any]:
    """Return the rankings as plain values, with the title of each measure and its signature."""
    record = asdict(found)
    del record["problem"]
    for one, ranking in zip(record["rankings"], found.rankings, strict=True):
        one |= {"title": found.name_measure(ranking), "signature": ranking.signature}
    return record


def make_file(
    found: StudyRanking, part: str, file_format: str, *, place: int = 0, size: str = "wide", has_title: bool = True
) -> bytes:
    """Return a table or the forest plot as a file.

    Args:
        found: The rankings.
        part: `table`, `differences` or `forest`.
        file_format: One of `PARTS[part]`.
        place: Which of the main rankings is drawn.
        size: The size of the plot.
        has_title: Whether the plot has the answer as its title.

    Raises:
        CorrelationInputError: There is no such file.
    """
    if file_format not in PARTS.get(part, ()):
        raise CorrelationInputError(f"there is no {part}.{file_format}")
    if part == FOREST:
        if place >= len(found.main):
            raise CorrelationInputError(f"there are {len(found.main)} plots, got {place}")
        return render(draw_systems(found, found.main[place], size=size, has_title=has_title), file_format)
    if file_format == "json":
        return print_json(found).encode()
    table = tabulate_ranking(found) if part == TABLE else tabulate_differences(found)
    return TABLE_PRINTERS[file_format](table).encode()


PARTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {TABLE: ("csv", "json", "tex", "md"), DIFFERENCES: ("csv", "tex", "md"), FOREST: FIGURE_FORMATS}
)
"""Part -> its file formats."""


FORMS: Final[Mapping[str, Callable[[StudyRanking], bytes]]] = MappingProxyType(
    {
        **{f".{name}": partial(make_file, part=TABLE, file_format=name) for name in PARTS[TABLE]},
        **{f".{name}": partial(make_file, part=FOREST, file_format=name) for name in FIGURE_FORMATS},
    }
)
"""File extension -> the content of the file; a figure is the forest plot of the first ranking."""

check_path = partial(check_output, formats=FORMS, what="a ranking", of="the ranking")
"""Raises an error, before anything is computed, if a file cannot be written."""

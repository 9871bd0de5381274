"""Positions of the rows of a forest plot: names, numbers and marks, in a wide and in a narrow figure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType
from typing import Any
from unicodedata import east_asian_width

from correlation.errors import check_name
from correlation.figures.style import WIDEST_LETTERS

FONT_SIZE, LINE_HEIGHT = 12, 15
# Pixels of a letter that marks metrics that do not differ, and between a name and what is beside it.
MARK_WIDTH, GAP = 8, 8
# In a stacked row: pixels above the first line of text, and below the last one, where interval and mark are.
ABOVE, TRACK = 7, 24


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes in pixels, and the largest number of letters in a line of the notes and of the title.

    In a stacked row name and numbers are above the mark; otherwise they are to its left and right, and the row has a
    height of `row_height`.
    """

    width: int
    row_height: int = 30
    is_stacked: bool = False
    n_letters: int = 200
    n_title_letters: int = 200


LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        "wide": Layout(420),
        "narrow": Layout(270, is_stacked=True, n_letters=46, n_title_letters=30),
    }
)
"""Layouts by size; `narrow` keeps the text legible on a phone."""


@dataclass(frozen=True, slots=True)
class PlacedRows:
    """The rows of a figure of `height` pixels.

    Stacked rows have these fields, too: `described` (name and numbers for screen readers), `lines` (the lines of the
    name), `name_top` and `numbers_top` (the upper edge of the texts), `mark_middle`, and `top` and `bottom` of the part
    with the mark, where lines across all rows are drawn, so that they do not cross a text.
    """

    rows: tuple[dict[str, Any], ...]
    height: int


def find_layout(size: str) -> Layout:
    """Return the layout of a size; an unknown one raises `UnknownNameError`."""
    check_name("size of a figure", size, LAYOUTS)
    return LAYOUTS[size]


def place_rows(rows: Sequence[Mapping[str, Any]], layout: Layout) -> PlacedRows:
    """Return the rows, each with `metric`, `letters` and `printed` numbers, from the top.

    In a stacked row, a name that does not fit beside letters and numbers is above them, on several lines if needed.

    >>> names = ("cider", "bertscore-roberta-large")
    >>> rows = [{"metric": name, "letters": "a", "printed": "0.51 [0.4, 0.6]"} for name in names]
    >>> placed = place_rows(rows, Layout(270, is_stacked=True))
    >>> [(row["lines"], row["name_top"], row["numbers_top"]) for row in placed.rows]
    [(['cider'], 7, 7), (['bertscore-roberta-large'], 53, 68)]
    """
    if not layout.is_stacked:
        return PlacedRows(tuple(map(dict, rows)), layout.row_height * len(rows))
    placed: list[dict[str, Any]] = []
    height, marks_left = 0, find_marks(rows, layout)
    for row in rows:
        lines, name_top = _wrap(row["metric"], layout.width), height + ABOVE
        beside = marks_left if row["letters"] else layout.width - _measure(row["printed"])
        is_beside = _measure(lines[-1]) <= beside - GAP
        numbers_top = name_top + LINE_HEIGHT * (len(lines) - is_beside)
        top = numbers_top + LINE_HEIGHT
        height = top + TRACK
        placed.append(
            {
                **row,
                "described": f"{row['metric']}: {row['printed']}",
                "lines": lines,
                "name_top": name_top,
                "numbers_top": numbers_top,
                "mark_middle": top + TRACK // 2,
                "top": top,
                "bottom": height,
            }
        )
    return PlacedRows(tuple(placed), height)


def find_marks(rows: Sequence[Mapping[str, Any]], layout: Layout) -> int:
    """Return the left edge of the letters of stacked rows, whose numbers are at the right edge of the figure."""
    numbers = max((_measure(row["printed"]) for row in rows), default=0.0)
    return round(layout.width - numbers - MARK_WIDTH * count_marks(rows))


def count_marks(rows: Sequence[Mapping[str, Any]]) -> int:
    """Return the largest number of letters in a row, at least 1."""
    return max([1, *(len(row["letters"]) for row in rows)])


def _wrap(name: str, width: float) -> list[str]:
    widest = max(map(_measure, name), default=1.0)
    return wrap(name, int((width - GAP) / widest)) or [""]


def _measure(text: str) -> float:
    """Return the most that a text is wide, in pixels: Chinese letters and capitals may be as wide as high."""
    is_wide = (letter.isupper() or east_asian_width(letter) in "WF" for letter in text)
    return FONT_SIZE * sum(1.0 if each else WIDEST_LETTERS for each in is_wide)

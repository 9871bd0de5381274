"""A table of shares as a figure: one cell for each row and column, darker the further from one half."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from correlation.errors import CorrelationInputError
from correlation.figures.style import INK, RULES, frame_figure, head_figure, make_room

CELL_WIDTH, CELL_HEIGHT = 92, 30
ABOVE, BELOW, MIDDLE = "#6ba3c6", "#d08a5b", "#ffffff"


@dataclass(frozen=True, slots=True)
class Share:
    """One cell.

    Parameters
    ----------
    share
        In [0, 1]; NaN where there is none.
    interval
        Its bounds.
    """

    row: str
    column: str
    share: float
    interval: tuple[float, float]


def draw_shares(cells: Sequence[Share], *, title: str = "", lines: Sequence[str] = ()) -> dict[str, Any]:
    """Return the specification of a table of shares, rows and columns in the order of the cells.

    Shares are printed in percent. Cells above one half are blue, below it orange; cells whose interval includes one
    half are printed in grey.

    Raises
    ------
    CorrelationInputError
        There is no cell.
    """
    if not cells:
        raise CorrelationInputError("a figure of shares needs at least one cell, got none")
    rows = list(dict.fromkeys(each.row for each in cells))
    columns = list(dict.fromkeys(each.column for each in cells))
    axis = {"ticks": False, "domain": False, "grid": False, "labelPadding": 8, "labelLimit": 260, "title": None}
    width = CELL_WIDTH * len(columns)
    return frame_figure(
        width=width,
        height=CELL_HEIGHT * len(rows),
        padding=make_room(title, lines, width=width),
        title=head_figure(title, lines),
        data={"values": [_describe(each) for each in cells]},
        encoding={
            "y": {"field": "row", "type": "nominal", "scale": {"domain": rows}, "axis": axis},
            "x": {
                "field": "column",
                "type": "nominal",
                "scale": {"domain": columns},
                "axis": axis | {"orient": "top", "labelAngle": 0},
            },
        },
        layer=[
            {
                "mark": {"type": "rect", "stroke": RULES, "strokeWidth": 1},
                "encoding": {
                    "color": {
                        "field": "share",
                        "type": "quantitative",
                        "scale": {"domain": [0, 0.5, 1], "range": [BELOW, MIDDLE, ABOVE], "interpolate": "rgb"},
                        "legend": None,
                    }
                },
            },
            {
                "mark": {"type": "text", "fontSize": 12},
                "encoding": {
                    "text": {"field": "printed"},
                    "color": {"condition": {"test": "datum.is_chance", "value": "#5c5c57"}, "value": INK},
                },
            },
        ],
    )


def _describe(cell: Share) -> dict[str, Any]:
    is_defined = isfinite(cell.share)
    low, high = cell.interval
    return {
        "row": cell.row,
        "column": cell.column,
        "share": cell.share if is_defined else 0.5,
        "printed": f"{100 * cell.share:.1f}" if is_defined else "n/a",
        "is_chance": not is_defined or low <= 0.5 <= high,
    }

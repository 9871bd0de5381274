"""The forest plot of any named values with intervals, such as scores of systems or correlations of metrics."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from correlation.errors import CorrelationInputError
from correlation.figures.forest import describe_row, frame_rows
from correlation.figures.forest_rows import find_layout


@dataclass(frozen=True, slots=True)
class NamedInterval:
    """A value with its name and bounds; NaN where undefined, and None if no bounds were asked for."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


def draw_intervals(
    rows: Sequence[NamedInterval], *, title: str, axis: str, note: str = "", size: str = "wide"
) -> dict[str, Any]:
    """Return the specification of the figure, with the rows in the order given; undefined values have no mark.

    Parameters
    ----------
    rows
        Rows with different names.
    title, axis
        The title of the figure, and of the axis with the values.
    note
        What the bars are, as a sentence.
    size
        A name in `correlation.figures.forest_rows.LAYOUTS`.

    Raises
    ------
    CorrelationInputError
        No row has a value.
    """
    if not any(isfinite(row.value) for row in rows):
        raise CorrelationInputError("there is nothing to draw: no value is defined")
    return frame_rows(
        [_describe(row) for row in rows], title=title, notes=[note] if note else [], axis=axis, layout=find_layout(size)
    )


def _describe(row: NamedInterval) -> dict[str, Any]:
    value, low, high = (None if each is None or not isfinite(each) else each for each in (row.value, row.low, row.high))
    return describe_row(row.name, value, low, high)

"""Values over time, such as the scores of a team's submissions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from correlation.errors import CorrelationInputError, check_name
from correlation.figures.robustness import COLOURS, SHAPES
from correlation.figures.style import RULES, frame_figure, scale_series

# Width and height of the plot in pixels by size; `narrow` keeps the text legible on a phone.
SIZES: Mapping[str, tuple[int, int]] = MappingProxyType({"wide": (620, 300), "narrow": (270, 260)})
_FEW_TICKS = 4
_LEAST = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class TimedPoint:
    """A finite value at a time, drawn with the date and clock of its time zone."""

    at: datetime
    value: float
    series: str


def draw_timeline(
    points: Sequence[TimedPoint], *, series: Sequence[str], x_title: str, y_title: str, size: str = "wide"
) -> dict[str, Any]:
    """Return the specification of values over time; a line joins all points in the order of time.

    Parameters
    ----------
    points
        At least one.
    series
        The series that points may be of. Each keeps its colour and shape, also where others have no point.
    x_title, y_title
        The titles of the axes.
    size
        A name in `SIZES`.

    Raises
    ------
    CorrelationInputError
        There is no point.
    """
    check_name("size of a figure", size, SIZES)
    if not points:
        raise CorrelationInputError("a figure of values over time needs at least one point, got none")
    width, height = SIZES[size]
    present = {each.series for each in points}
    places = [place for place, name in enumerate(series) if name in present]
    names = [series[place] for place in places]
    # The clock of the zone is drawn as it is: with an offset, it would be converted.
    clocks = [each.at.replace(tzinfo=UTC) for each in points]
    values = [
        {"at": clock.isoformat(), "value": each.value, "series": each.series}
        for clock, each in zip(clocks, points, strict=True)
    ]
    axes = {
        "x": {
            "field": "at",
            "type": "temporal",
            "title": x_title,
            "scale": {"type": "utc"} | _make_x_scale(clocks),
            "axis": {"grid": False, "labelOverlap": True, "tickCount": _FEW_TICKS},
        },
        "y": {
            "field": "value",
            "type": "quantitative",
            "title": y_title,
            "scale": _make_y_scale([each.value for each in points]),
            "axis": {"gridColor": RULES},
        },
    }
    # One below the other where side by side they are wider than the plot.
    legend = {"title": None, "columns": 1 if size == "narrow" else 0}
    return frame_figure(
        width=width,
        height=height,
        data={"values": values},
        layer=[
            {"mark": {"type": "line", "color": "#8a8a84", "strokeWidth": 1.5}, "encoding": axes},
            {
                "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
                "encoding": axes
                | {
                    "color": scale_series(names, [COLOURS[place % len(COLOURS)] for place in places], legend=legend),
                    "shape": scale_series(names, [SHAPES[place % len(SHAPES)] for place in places], legend=legend),
                },
            },
        ],
    )


def _make_x_scale(clocks: Sequence[datetime]) -> dict[str, Any]:
    first, last = min(clocks), max(clocks)
    if last - first > _LEAST:
        return {"padding": 16}
    # The ticks of an axis almost without extent would be fractions of a second.
    return {"domain": [1000 * (each.timestamp()) for each in (first - _LEAST, last + _LEAST)]}


def _make_y_scale(values: Sequence[float]) -> dict[str, Any]:
    low, high = min(values), max(values)
    if low < high:
        return {"zero": False, "padding": 16}
    # The ticks of an axis without extent would be those of another number.
    room = max(abs(low) / 10, 0.01)
    return {"domain": [low - room, high + room]}

"""Labelled points of several series in a plane, such as systems by accuracy and diversity."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from correlation.errors import CorrelationInputError, check_name
from correlation.figures.label_places import place_labels
from correlation.figures.robustness import COLOURS, SHAPES
from correlation.figures.style import RULES, TEXT, frame_figure, head_figure, scale_series

# Width and height of the plot in pixels by size; `narrow` keeps the text legible on a phone.
SIZES: Mapping[str, tuple[int, int]] = MappingProxyType({"wide": (640, 460), "narrow": (270, 300)})
_PADDING = 30


@dataclass(frozen=True, slots=True)
class LabelledPoint:
    """A point with its label; both coordinates must be finite."""

    label: str
    series: str
    x: float
    y: float


def draw_labelled(
    points: Sequence[LabelledPoint],
    *,
    x_title: str,
    y_title: str,
    title: str = "",
    lines: Sequence[str] = (),
    joins: bool = True,
    size: str = "wide",
) -> dict[str, Any]:
    """Return the specification of the figure.

    Parameters
    ----------
    points
        At least one.
    x_title, y_title
        The titles of the axes.
    title, lines
        Text above the figure.
    joins
        Whether points with the same label are joined by a line. The label then stands beside its point of the first
        series that has it; otherwise beside each.
    size
        A name in `SIZES`.

    Raises
    ------
    CorrelationInputError
        There is no point.
    """
    check_name("size of a figure", size, SIZES)
    if not points:
        raise CorrelationInputError("a figure of labelled points needs at least one point, got none")
    width, height = SIZES[size]
    series = list(dict.fromkeys(each.series for each in points))
    named: set[str] = set()
    values = []
    for each in points:
        values.append(asdict(each) | {"shown": "" if joins and each.label in named else each.label})
        named.add(each.label)
    places = place_labels(
        _locate(points, width=width, height=height), [str(each["shown"]) for each in values], width=width, height=height
    )
    for value, place in zip(values, places, strict=True):
        value["place"] = places.index(place)
    axes = {
        "x": _make_axis("x", x_title),
        "y": _make_axis("y", y_title),
    }
    return frame_figure(
        title=head_figure(title, lines),
        width=width,
        height=height,
        data={"values": values},
        layer=[
            *(
                [{"mark": {"type": "line", "color": RULES}, "encoding": axes | {"detail": {"field": "label"}}}]
                if joins
                else []
            ),
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": axes
                | {
                    "color": scale_series(series, COLOURS, legend={"title": None}),
                    "shape": scale_series(series, SHAPES, legend={"title": None}),
                },
            },
            *(
                {
                    "transform": [{"filter": {"field": "place", "equal": number}}],
                    "mark": {"type": "text", "fontSize": 12, "color": TEXT, "baseline": "middle"} | asdict(place),
                    "encoding": axes | {"text": {"field": "shown"}},
                }
                for number, place in sorted({places.index(place): place for place in places}.items())
            ),
        ],
    )


def _locate(points: Sequence[LabelledPoint], *, width: int, height: int) -> list[tuple[float, float]]:
    """Return where points are drawn, in pixels: extremes are `_PADDING` from the sides, a single value is centred."""

    def spread(values: Sequence[float], length: int) -> list[float]:
        low, high = min(values), max(values)
        step = (length - 2 * _PADDING) / (high - low) if high > low else 0.0
        return [_PADDING + (value - low) * step if step else length / 2 for value in values]

    across = spread([each.x for each in points], width)
    down = spread([-each.y for each in points], height)
    return list(zip(across, down, strict=True))


def _make_axis(field: str, title: str) -> dict[str, Any]:
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"zero": False, "nice": False, "padding": _PADDING},
        "axis": {"gridColor": RULES},
    }

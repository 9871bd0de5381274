"""The scatter plot of a metric against human judgments."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from numpy.typing import ArrayLike

from correlation.errors import check_name
from correlation.figures.style import FIT, POINTS, frame_figure
from correlation.protocols.scatter import Cells, FittedLine, fit_line, gather_cells

BINS = 44
# Areas of circles in square pixels: of a single point if there is room, the bounds for the fullest circle, which
# otherwise takes its share of the plot, and the smallest visible circle.
POINT_AREA, LEAST_AREA, MOST_AREA, SEEN_AREA = 90, 40, 900, 14
# A scale with at most this many whole numbers has a tick at each of its values and nowhere else.
MOST_TICKS = 9
# Items of a circle in its data.
MOST_ITEMS = 3
# Width and height of the plot in pixels by size; `narrow` keeps the text legible on a phone.
SIZES: Mapping[str, tuple[int, int]] = MappingProxyType({"wide": (640, 400), "narrow": (340, 300)})


def draw_scatter(
    judgments: ArrayLike,
    scores: ArrayLike,
    *,
    judgment_title: str,
    score_title: str,
    items: Sequence[int] = (),
    size: str = "wide",
) -> dict[str, Any]:
    """Return the specification of a scatter plot of scores (y) against judgments (x), with the least-squares line.

    Points are not jittered: points at the same position form one circle whose area is proportional to their number,
    with a minimum so that it is visible. With more than 1,500 positions, neighbouring points are binned. The line is
    fitted to the original points.

    Parameters
    ----------
    judgments, scores
        Shape (n,), finite.
    items
        Length n: the key of each point's item. The first few of each circle are in its data, under `items`, for
        figures that readers can point at.
    size
        A name in `SIZES`.
    """
    check_name("size of a figure", size, SIZES)
    cells = gather_cells(judgments, scores, bins=BINS)
    line = fit_line(judgments, scores)
    width, height = SIZES[size]
    share = width * height / max(len(cells.count), 1)
    largest = min(max(share, LEAST_AREA), MOST_AREA)
    return frame_figure(
        width=width,
        height=height,
        encoding={
            "x": _make_axis("judgment", judgment_title, ticks=sorted(set(cells.x.tolist()))),
            "y": _make_axis("score", score_title, ticks=None),
        },
        layer=[_draw_cells(cells, _list_items(cells, items), largest=largest), *([_draw_line(line)] if line else [])],
    )


def _list_items(cells: Cells, items: Sequence[int]) -> list[list[int]]:
    """Return the first different items of each cell, all of length 0 if items are not known."""
    found: list[dict[int, None]] = [{} for _ in cells.count]
    for cell, item in zip(cells.cell.tolist(), items, strict=False):
        if len(found[cell]) < MOST_ITEMS:
            found[cell][item] = None
    return [list(each) for each in found]


def _draw_cells(cells: Cells, items: Sequence[Sequence[int]], *, largest: float) -> dict[str, Any]:
    values = [
        {"judgment": x, "score": y, "count": count, **({"items": list(own)} if own else {})}
        for x, y, count, own in zip(cells.x.tolist(), cells.y.tolist(), cells.count.tolist(), items, strict=True)
    ]
    most = max((value["count"] for value in values), default=1)
    area: dict[str, Any] = {"value": POINT_AREA}
    if most > 1:
        largest = min(largest, most * POINT_AREA)
        # Proportional between the smallest visible circle and the fullest; smaller ones all have the same size.
        smallest = max(1.0, most * SEEN_AREA / largest)
        area = {
            "field": "count",
            "type": "quantitative",
            "title": "points in a circle",
            "scale": {
                "type": "linear",
                "domain": [smallest, most],
                "range": [largest * smallest / most, largest],
                "clamp": True,
            },
            "legend": {"values": sorted({1, (most + 1) // 2, most}), "format": ",d"},
        }
    return {
        "data": {"values": values},
        "mark": {"type": "circle", "color": POINTS, "opacity": 0.55},
        "encoding": {"size": area},
    }


def _draw_line(line: FittedLine) -> dict[str, Any]:
    ends = [{"judgment": x, "score": line.at(x)} for x in (line.x_low, line.x_high)]
    return {"data": {"values": ends}, "mark": {"type": "line", "color": FIT, "strokeWidth": 2.5}}


def _make_axis(field: str, title: str, *, ticks: Sequence[float] | None) -> dict[str, Any]:
    # Padding at both ends so that no circle is clipped; the axis need not include zero.
    axis: dict[str, Any] = {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"zero": False, "nice": False, "padding": 16},
    }
    if ticks and len(ticks) <= MOST_TICKS and all(tick.is_integer() for tick in ticks):
        axis["axis"] = {"values": list(ticks), "format": "d"}
    return axis

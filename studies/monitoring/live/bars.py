"""Bar charts of the monitoring page as coordinates for an SVG; a table shows the same numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH, HEIGHT, FOOT, HEAD, LEFT = 640, 180, 24, 14, 44
"""The size of the chart, the heights of the label line and the top margin, and the width of the axis labels."""

MOST_LABELS: Final = 8
LETTER_WIDTH: Final = 6.5
"""The width that a letter of a label takes, at the mean."""

LARGE_LETTER_WIDTH: Final = 11.5
"""The same on narrow screens, which shrink the chart and have larger letters for it."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its position, and its label; empty if there is no room for one. `short_label` is for narrow screens."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    label: str
    short_label: str
    value: int


@dataclass(frozen=True, slots=True)
class BarChart:
    """A bar chart; `ticks` are values on the axis with their vertical positions."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[int, float], ...]
    text: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT

    @property
    def foot(self) -> int:
        """The vertical position of labels."""
        return self.height - 7

    @property
    def ground(self) -> int:
        """The vertical position of the base of bars."""
        return self.height - FOOT


def draw_bars(values: Sequence[int], labels: Sequence[str], *, text: str) -> BarChart:
    """Return the bars of these values, with as many labels as fit; what is too long for its bar ends with an ellipsis.

    Args:
        values: Non-negative values.
        labels: One label per value.
        text: The text alternative of the chart.
    """
    top = round_up(max(values, default=0))
    room = HEIGHT - FOOT - HEAD
    step = (WIDTH - LEFT) / max(len(values), 1)
    every = -(-len(values) // MOST_LABELS)
    bars = []
    for place, (value, label) in enumerate(zip(values, labels, strict=True)):
        height = round(room * value / top, 1)
        shown = label if place % every == 0 else ""
        x = LEFT + place * step
        bars.append(
            Bar(
                x=round(x + 0.12 * step, 1),
                y=round(HEIGHT - FOOT - height, 1),
                width=round(0.76 * step, 1),
                height=height,
                middle=round(x + step / 2, 1),
                label=_shorten(shown, step * every, of=LETTER_WIDTH),
                short_label=_shorten(shown, step * every, of=LARGE_LETTER_WIDTH),
                value=value,
            )
        )
    ticks = tuple((value, round(HEIGHT - FOOT - room * value / top, 1)) for value in dict.fromkeys((0, top // 2, top)))
    return BarChart(tuple(bars), ticks, text)


def _shorten(label: str, room: float, *, of: float) -> str:
    fitting = int(room / of)
    return label if len(label) <= fitting else f"{label[: fitting - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def round_up(value: int) -> int:
    """Return the next even 1, 2, 4, 5, 6, 8 or 10 times a power of ten, as the top of an axis with a middle tick.

    >>> [round_up(value) for value in (0, 1, 3, 7, 12, 61, 1700)]
    [2, 2, 4, 8, 20, 80, 2000]
    """
    scale = 1
    while value > 10 * scale:
        scale *= 10
    return next(
        step * scale for step in (1, 2, 4, 5, 6, 8, 10) if step * scale >= max(value, 2) and step * scale % 2 == 0
    )

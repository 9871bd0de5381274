"""Where labels of points stand, so that they do not cover each other or other points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LETTER_WIDTH: Final = 6.8
LINE_HEIGHT: Final = 13.0
"""Pixels of an average letter and of a line at a font size of 12."""
GAP: Final = 8
_POINT: Final = 5.0


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a label beside its point: alignment of the text, and the distance of its middle in pixels."""

    align: str
    dx: int
    dy: int

    def bound(self, x: float, y: float, *, length: int) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of a label of `length` letters at a point, in pixels, y downwards."""
        width = length * LETTER_WIDTH
        left = x + self.dx - {"left": 0.0, "center": width / 2, "right": width}[self.align]
        top = y + self.dy - LINE_HEIGHT / 2
        return left, top, left + width, top + LINE_HEIGHT


PLACES: Final = (
    Place("left", GAP, -GAP),
    Place("right", -GAP, -GAP),
    Place("left", GAP, GAP),
    Place("right", -GAP, GAP),
    Place("center", 0, -2 * GAP),
    Place("center", 0, 2 * GAP),
)
"""In the order in which they are tried."""


def place_labels(
    points: Sequence[tuple[float, float]], labels: Sequence[str], *, width: int, height: int
) -> list[Place]:
    """Return the place of each label; an empty label covers nothing.

    Labels are placed one after the other, each at the place where it covers the least of the labels before it and of
    all points and leaves the plot the least; among equal places, at the first of `PLACES`.

    Parameters
    ----------
    points
        Pixels, y downwards.
    labels
        One for each point.
    width, height
        Pixels of the plot.
    """
    marks = [(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y in points]
    taken: list[tuple[float, float, float, float]] = []
    plot = (0.0, 0.0, float(width), float(height))
    places = []
    for own, ((x, y), label) in enumerate(zip(points, labels, strict=True)):
        if not label:
            places.append(PLACES[0])
            continue
        others = [*taken, *marks[:own], *marks[own + 1 :]]
        boxes = [place.bound(x, y, length=len(label)) for place in PLACES]
        costs = [
            sum(_intersect(box, other) for other in others) + _intersect(box, box) - _intersect(box, plot)
            for box in boxes
        ]
        best = min(range(len(PLACES)), key=costs.__getitem__)
        taken.append(boxes[best])
        places.append(PLACES[best])
    return places


def _intersect(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """Return the area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)

"""Areas, bounding boxes and distances of shapes. Half extents are (a, b); the shape's own frame has y downward."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from captioning.worlds.model import Entity

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]

# The share of the half width at which a regular pentagon's flat side ends.
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
_TINY = 1e-300
_DIAGONAL = 1.0 - math.sqrt(0.5)
_AREA_FACTORS = {
    "square": 4.0,
    "rectangle": 4.0,
    "triangle": 2.0,
    "pentagon": 4.0 * _GOLDEN**2 + 2.0 * _GOLDEN * (1.0 - _GOLDEN) + 2.0 * (1.0 - _GOLDEN),
    "cross": 20.0 / 9.0,
    "circle": math.pi,
    "semicircle": math.pi,
    "ellipse": math.pi,
}

_RECTANGLE_CORNERS = ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))
_ROUND_CORNERS = tuple(
    (sx * u, sy * v) for u, v in ((1.0, _DIAGONAL), (_DIAGONAL, 1.0)) for sx in (-1, 1) for sy in (-1, 1)
)
# Points whose extremes give the bounding box that the original stores, in half extents. For round shapes it is slightly
# smaller than the shape.
_CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "square": _RECTANGLE_CORNERS,
    "rectangle": _RECTANGLE_CORNERS,
    "triangle": ((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)),
    "pentagon": ((-_GOLDEN, -1.0), (_GOLDEN, -1.0), (-1.0, 2 * _GOLDEN - 1), (1.0, 2 * _GOLDEN - 1), (0.0, 1.0)),
    "cross": tuple((sx * u, sy * v) for u, v in ((1, 1 / 3), (1 / 3, 1)) for sx in (-1, 1) for sy in (-1, 1)),
    "circle": _ROUND_CORNERS,
    "ellipse": _ROUND_CORNERS,
}


def compute_area(entity: Entity) -> float:
    """Return the area of an entity in the unit square."""
    return _AREA_FACTORS[entity.shape] * entity.half_width * entity.half_height


def compute_bounding_box(entity: Entity) -> Box:
    """Return left, top, right, bottom as stored by the original (for round shapes up to 8.6 % too small)."""
    a, b = entity.half_width, entity.half_height
    if entity.shape == "semicircle":
        k = _DIAGONAL * a
        corners: Any = ((-a, -b), (a, -b), (-a, k - b), (a, k - b), (-k, b), (k, b))
    else:
        corners = [(u * a, v * b) for u, v in _CORNERS[entity.shape]]
    turn = 2.0 * math.pi * entity.rotation
    cos, sin = math.cos(turn), math.sin(turn)
    xs = [u * cos - v * sin for u, v in corners]
    ys = [u * sin + v * cos for u, v in corners]
    return (entity.x + min(xs), entity.y + min(ys), entity.x + max(xs), entity.y + max(ys))


def compute_reach(entity: Entity) -> tuple[float, float]:
    """Return the maximal extent of an entity from its centre along x and y."""
    turn = 2.0 * math.pi * entity.rotation
    cos, sin = abs(math.cos(turn)), abs(math.sin(turn))
    a, b = entity.half_width, entity.half_height
    return a * cos + b * sin, a * sin + b * cos


def compute_outer_radius(entity: Entity) -> float:
    """Return the radius of a circle around the centre that contains an entity."""
    a, b = entity.half_width, entity.half_height
    if entity.shape in ("circle", "ellipse"):
        return max(a, b)
    return math.hypot(a, b / 3.0) if entity.shape == "cross" else math.hypot(a, b)


def compute_inner_radius(entity: Entity) -> float:
    """Return the radius of a circle around the centre that an entity contains."""
    a, b = entity.half_width, entity.half_height
    if entity.shape == "triangle":
        return a * b / math.hypot(a, 2.0 * b)
    if entity.shape == "pentagon":
        # The sides from (0, b) to (a, (2g - 1)b) are the nearest.
        return a * b / math.hypot(a, 2.0 * (1.0 - _GOLDEN) * b)
    return math.sqrt(2.0) / 3.0 * min(a, b) if entity.shape == "cross" else min(a, b)


def compute_distances(entity: Entity, xs: Floats, ys: Floats) -> Floats:
    """Return the distance of grid points to an entity, 0 inside, of shape (len(ys), len(xs)).

    The distance is the original's: exact for rectangles and circles, an approximation for the others.
    """
    turn = 2.0 * math.pi * entity.rotation
    cos, sin = math.cos(turn), math.sin(turn)
    u = (xs - entity.x)[None, :]
    v = (ys - entity.y)[:, None]
    return _DISTANCES[entity.shape](u * cos + v * sin, v * cos - u * sin, entity.half_width, entity.half_height)


def _length(u: Floats, v: Floats) -> Floats:
    u = np.maximum(u, 0.0)
    v = np.maximum(v, 0.0)
    result: Floats = np.sqrt(u * u + v * v)
    return result


def _clamp(values: Floats) -> Floats:
    return np.minimum(np.maximum(values, 0.0), 1.0)


def _rectangle(x: Floats, y: Floats, a: float, b: float) -> Floats:
    return _length(np.abs(x) - a, np.abs(y) - b)


def _circle(x: Floats, y: Floats, a: float, _: float) -> Floats:
    return np.maximum(np.sqrt(x * x + y * y) - a, 0.0)


def _cross(x: Floats, y: Floats, a: float, b: float) -> Floats:
    x, y = np.abs(x), np.abs(y)
    wide = x > y
    return _length(x - np.where(wide, a, a / 3.0), y - np.where(wide, b / 3.0, b))


# The rules of several regions share one square root, which takes longer than choosing its arguments.
def _semicircle(x: Floats, y: Floats, a: float, b: float) -> Floats:
    y = y + b
    above = y < 0.0
    across = np.where(above, np.maximum(np.abs(x) - a, 0.0), x)
    length = np.sqrt(across * across + y * y)
    return np.where(above, length, np.maximum(length - a, 0.0))


def _ellipse(x: Floats, y: Floats, a: float, b: float) -> Floats:
    u, v = np.abs(x) / a, np.abs(y) / b
    # The centre is inside, whatever its length is taken to be.
    length = np.maximum(np.sqrt(u * u + v * v), _TINY)
    return _length((u - u / length) * a, (v - v / length) * b)


def _triangle(x: Floats, y: Floats, a: float, b: float) -> Floats:
    x = np.abs(x)
    down = y + b
    t = _clamp((down - x + a) / (a + 2.0 * b))
    # Above the flat side, t = 0 and the distance from it is counted upward.
    above = y < -b
    return _length(x - np.where(above, a, (1.0 - t) * a), np.where(above, np.abs(y) - b, down - 2.0 * t * b))


def _pentagon(x: Floats, y: Floats, a: float, b: float) -> Floats:
    g = _GOLDEN
    x = np.abs(x)
    y = y + (b - 2.0 * g * b)
    lower = y >= 0.0
    # From the widest line on, the distance is counted downward along the lower sides, upward along the upper ones.
    across, along = np.where(lower, x, x - g * a), np.abs(y)
    width, height = np.where(lower, a, (1.0 - g) * a), np.where(lower, 2.0 * (1.0 - g) * b, 2.0 * g * b)
    t = _clamp((along - across + width) / (width + height))
    # t = 1 on the flat side.
    t = np.where(lower | (across >= 0.0), t, 1.0)
    return _length(across - (1.0 - t) * width, along - t * height)


_DISTANCES: dict[str, Callable[[Floats, Floats, float, float], Floats]] = {
    "square": _rectangle,
    "rectangle": _rectangle,
    "triangle": _triangle,
    "pentagon": _pentagon,
    "cross": _cross,
    "circle": _circle,
    "semicircle": _semicircle,
    "ellipse": _ellipse,
}

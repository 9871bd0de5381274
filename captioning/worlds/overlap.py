"""The overlap of entities, measured on the grid of the image's pixels."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from captioning.worlds.geometry import (
    Box,
    Floats,
    compute_bounding_box,
    compute_distances,
    compute_inner_radius,
    compute_outer_radius,
)
from captioning.worlds.model import Entity, World

_COVERED = 0.95
# How far two circles must be apart, or overlap, in pixels, for the grid to show the same for certain.
_APART = 1.0
_DEEP = 4.0


@dataclass(frozen=True, slots=True)
class Cover:
    """The coverage of the grid points of an entity's bounding box, from 0 to 1.

    Parameters
    ----------
    left, top : int
        The indices of the first column and row; 0 is on the edge of the unit square.
    values : array
        Shape (rows, columns).
    size : int
        Points per unit.
    """

    left: int
    top: int
    values: Floats
    size: int

    @property
    def area(self) -> float:
        """The area of the entity."""
        return float(self.values[self.values > _COVERED].sum()) / self.size**2


def compute_overlaps(world: World) -> list[list[float]]:
    """Return the overlap of each pair of entities of a world: the share of the larger one's area that is in both.

    The overlap of an entity with itself is 1.
    """
    entities, size = world.entities, world.size
    covers: dict[int, Cover] = {}
    areas: dict[int, float] = {}
    result = [[float(row == column) for column in range(len(entities))] for row in range(len(entities))]
    boxes = [compute_bounding_box(entity) for entity in entities]
    for row, entity in enumerate(entities):
        for column, other in enumerate(entities[:row]):
            if not do_boxes_meet(boxes[row], boxes[column]) or are_apart(entity, other, size=size):
                continue
            for each in (row, column):
                if each not in covers:
                    covers[each] = cover_entity(entities[each], boxes[each], size=size)
                    areas[each] = covers[each].area
            shared = measure_shared_area(covers[row], covers[column])
            if shared > 0.0:
                result[row][column] = result[column][row] = min(shared / areas[row], shared / areas[column])
    return result


def cover_entity(entity: Entity, box: Box, *, size: int) -> Cover:
    """Return the coverage of the grid points of an entity's bounding box, with `size` points per unit."""
    left, top, right, bottom = (
        math.floor(size * box[0]),
        math.floor(size * box[1]),
        math.ceil(size * box[2]),
        math.ceil(size * box[3]),
    )
    points = _list_points(size)
    distances = compute_distances(entity, points[left + size : right + size], points[top + size : bottom + size])
    distances *= -size
    distances += 1.0
    return Cover(left, top, np.maximum(distances, 0.0, out=distances), size)


def measure_shared_area(cover: Cover, other: Cover) -> float:
    """Return the area that is in both entities."""
    left, top = max(cover.left, other.left), max(cover.top, other.top)
    right = min(cover.left + cover.values.shape[1], other.left + other.values.shape[1])
    bottom = min(cover.top + cover.values.shape[0], other.top + other.values.shape[0])
    if left >= right or top >= bottom:
        return 0.0
    both = (
        cover.values[top - cover.top : bottom - cover.top, left - cover.left : right - cover.left]
        + other.values[top - other.top : bottom - other.top, left - other.left : right - other.left]
    )
    # A point counts if the mean of both exceeds the threshold.
    return float(both[both > 2.0 * _COVERED].sum()) / 2.0 / cover.size**2


def measure_share_inside(cover: Cover) -> float:
    """Return the share of an entity's coverage that lies in the unit square."""
    inside = cover.values[
        max(-cover.top, 0) : max(cover.size - cover.top, 0), max(-cover.left, 0) : max(cover.size - cover.left, 0)
    ]
    return float(inside.sum()) / float(cover.values.sum())


def are_apart(entity: Entity, other: Entity, *, size: int) -> bool:
    """Return whether circles around two entities do not meet, so that the entities cannot overlap."""
    distance = compute_outer_radius(entity) + compute_outer_radius(other) + _APART / size
    return (entity.x - other.x) ** 2 + (entity.y - other.y) ** 2 > distance * distance


def do_collide(entity: Entity, other: Entity, *, size: int) -> bool:
    """Return whether circles inside two entities overlap by so much that the entities overlap for certain."""
    distance = compute_inner_radius(entity) + compute_inner_radius(other) - _DEEP / size
    return distance > 0.0 and (entity.x - other.x) ** 2 + (entity.y - other.y) ** 2 < distance * distance


@lru_cache(maxsize=8)
def _list_points(size: int) -> Floats:
    """Return the coordinates of the grid points from -1 to 2."""
    return np.arange(-size, 2 * size) / (size - 1)


def list_grid_points(low: float, high: float, *, size: int) -> Floats:
    """Return the coordinates of the grid points from `low` to `high`, which must be in [-1, 2]."""
    return _list_points(size)[math.floor(size * low) + size : math.ceil(size * high) + size]


def do_boxes_meet(box: Box, other: Box) -> bool:
    """Return whether two bounding boxes overlap."""
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]

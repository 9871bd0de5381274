"""The overlap of entities, measured on the grid of the image's pixels."""

import math
from functools import lru_cache

import numpy as np

from captioning.worlds.geometry import Box, Floats, compute_bounding_box, compute_distances
from captioning.worlds.model import Entity, World

_COVERED = 0.95


def compute_overlaps(world: World) -> list[list[float]]:
    """Return the overlap of each pair of entities of a world: the share of the larger one's area that is in both.

    The overlap of an entity with itself is 1.
    """
    entities, size = world.entities, world.size
    boxes = [compute_bounding_box(entity) for entity in entities]
    areas: dict[int, float] = {}
    result = [[float(row == column) for column in range(len(entities))] for row in range(len(entities))]
    for row in range(len(entities)):
        for column in range(row):
            shared = compute_shared_area(entities[row], boxes[row], entities[column], boxes[column], size=size)
            if shared == 0.0:
                continue
            for each in (row, column):
                if each not in areas:
                    areas[each] = compute_grid_area(entities[each], boxes[each], size=size)
            result[row][column] = result[column][row] = min(shared / areas[row], shared / areas[column])
    return result


def compute_grid_area(entity: Entity, box: Box, *, size: int) -> float:
    """Return the area of an entity, measured by the pixels of an image of width `size`."""
    cover = compute_cover(entity, box, size=size)
    return float(cover[cover > _COVERED].sum()) / size**2


def compute_shared_area(entity: Entity, box: Box, other: Entity, other_box: Box, *, size: int) -> float:
    """Return the area that is in both entities, measured by the pixels of an image of width `size`."""
    if not do_boxes_meet(box, other_box):
        return 0.0
    common = (
        max(box[0], other_box[0]),
        max(box[1], other_box[1]),
        min(box[2], other_box[2]),
        min(box[3], other_box[3]),
    )
    cover = compute_cover(entity, common, size=size)
    # Where this entity covers less, the mean of both cannot exceed the threshold.
    if not (cover > 2.0 * _COVERED - 1.0).any():
        return 0.0
    cover = (cover + compute_cover(other, common, size=size)) / 2.0
    return float(cover[cover > _COVERED].sum()) / size**2


def compute_cover(entity: Entity, box: Box, *, size: int) -> Floats:
    """Return the coverage of the grid points of a box by an entity, from 0 to 1, shape (rows, columns)."""
    xs, ys = (list_grid_points(box[axis], box[axis + 2], size=size) for axis in (0, 1))
    return np.maximum(1.0 - size * compute_distances(entity, xs, ys), 0.0)


def list_grid_points(low: float, high: float, *, size: int) -> Floats:
    """Return the coordinates of the pixels from `low` to `high`, which must be in [-1, 2]."""
    return _list_all_points(size)[math.floor(size * low) + size : math.ceil(size * high) + size]


@lru_cache(maxsize=8)
def _list_all_points(size: int) -> Floats:
    return np.arange(-size, 2 * size) / (size - 1)


def do_boxes_meet(box: Box, other: Box) -> bool:
    """Return whether two bounding boxes overlap."""
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]

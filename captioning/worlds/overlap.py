"""How much of an entity another one covers, on the grid of the image's pixels."""

import math

import numpy as np

from captioning.worlds.geometry import Box, Floats, compute_bounding_box, compute_distances
from captioning.worlds.model import Entity, World

_COVERED = 0.95


def compute_overlap(entity: Entity, other: Entity, *, size: int) -> float:
    """Return the share of the larger of two entities that lies within both, from 0 to 1."""
    area, other_area = (compute_grid_area(each, size=size) for each in (entity, other))
    shared = compute_shared_area(entity, other, size=size)
    return min(shared / area, shared / other_area) if shared > 0.0 else 0.0


def compute_overlaps(world: World) -> list[list[float]]:
    """Return the overlap of each entity of a world with each other one; 1 with itself."""
    entities, size = world.entities, world.size
    boxes = [compute_bounding_box(entity) for entity in entities]
    areas: dict[int, float] = {}
    result = [[float(row == column) for column in range(len(entities))] for row in range(len(entities))]
    for row in range(len(entities)):
        for column in range(row):
            if not do_boxes_meet(boxes[row], boxes[column]):
                continue
            shared = compute_shared_area(entities[row], entities[column], size=size)
            if shared == 0.0:
                continue
            for each in (row, column):
                if each not in areas:
                    areas[each] = compute_grid_area(entities[each], size=size)
            result[row][column] = result[column][row] = min(shared / areas[row], shared / areas[column])
    return result


def compute_grid_area(entity: Entity, *, size: int) -> float:
    """Return the area of an entity as its pixels count it."""
    return compute_shared_area(entity, entity, size=size)


def compute_shared_area(entity: Entity, other: Entity, *, size: int) -> float:
    """Return the area within both entities, as the pixels of an image of `size` count it."""
    box, other_box = compute_bounding_box(entity), compute_bounding_box(other)
    if not do_boxes_meet(box, other_box):
        return 0.0
    xs = list_grid_points(max(box[0], other_box[0]), min(box[2], other_box[2]), size=size)
    ys = list_grid_points(max(box[1], other_box[1]), min(box[3], other_box[3]), size=size)
    cover = compute_cover(entity, xs, ys, size=size)
    if other is not entity:
        cover = (cover + compute_cover(other, xs, ys, size=size)) / 2.0
    counted = cover[cover > _COVERED]
    return float(counted.sum()) / size**2


def compute_cover(entity: Entity, xs: Floats, ys: Floats, *, size: int) -> Floats:
    """Return how much an entity covers grid points, from 0 to 1, of shape (len(ys), len(xs))."""
    return np.maximum(1.0 - size * compute_distances(entity, xs, ys), 0.0)


def list_grid_points(low: float, high: float, *, size: int) -> Floats:
    """Return the coordinates of the pixels from `low` to `high`."""
    return np.arange(math.floor(size * low), math.ceil(size * high)) / (size - 1)


def do_boxes_meet(box: Box, other: Box) -> bool:
    """Return whether two bounding boxes have a point in common."""
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]

"""Tests that areas, boxes and distances are consistent."""

import math

import numpy as np
import pytest

from captioning.worlds.geometry import compute_area, compute_bounding_box, compute_distances, compute_reach
from captioning.worlds.model import Entity
from captioning.worlds.vocabulary import SHAPES


def _make(shape: str, rotation: float = 0.0) -> Entity:
    half_height = 0.2 if shape in ("square", "cross", "circle") else 0.1
    if shape == "semicircle":
        half_height = 0.1
    return Entity(shape, "red", 0.0, 0.5, 0.5, 0.2, half_height, rotation)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("rotation", [0.0, 0.13, 0.7])
def test_area_is_where_the_distance_is_zero(shape: str, rotation: float) -> None:
    entity = _make(shape, rotation)
    points = (np.arange(800) + 0.5) / 800

    inside = compute_distances(entity, points, points) == 0.0

    assert inside.mean() == pytest.approx(compute_area(entity), rel=0.01)
    # Nothing lies outside the reach, and the stored box is at most 8.6 % smaller than the shape.
    rows, columns = np.nonzero(inside)
    reach_x, reach_y = compute_reach(entity)
    assert np.abs(points[columns] - 0.5).max() <= reach_x
    assert np.abs(points[rows] - 0.5).max() <= reach_y
    left, top, right, bottom = compute_bounding_box(entity)
    for low, high, found in ((left, right, points[columns]), (top, bottom, points[rows])):
        assert high - low == pytest.approx(found.max() - found.min(), rel=0.09, abs=0.003)


def test_positive_rotation_turns_clockwise_on_the_screen() -> None:
    # A triangle's apex points down (y grows downward); a quarter turn clockwise points it to the left.
    left, top, right, bottom = compute_bounding_box(_make("triangle", 0.25))

    assert (left, right) == pytest.approx((0.4, 0.6))
    assert (top, bottom) == pytest.approx((0.3, 0.7))
    points = np.linspace(0.0, 1.0, 401)
    inside = compute_distances(_make("triangle", 0.25), points, points) == 0.0
    heights = inside.sum(axis=0)
    assert heights[np.searchsorted(points, 0.42)] < heights[np.searchsorted(points, 0.58)]


def test_distance_of_a_circle_is_exact() -> None:
    distance = compute_distances(_make("circle"), np.array([1.0]), np.array([1.0]))

    assert distance[0, 0] == pytest.approx(math.hypot(0.5, 0.5) - 0.2)

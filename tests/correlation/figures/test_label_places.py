"""Tests of where labels of points stand."""

import numpy as np
import pytest

from correlation.figures.label_places import PLACES, Place, place_labels

WIDTH, HEIGHT = 640, 460


def overlap(first, second) -> float:
    wide = min(first[2], second[2]) - max(first[0], second[0])
    high = min(first[3], second[3]) - max(first[1], second[1])
    return max(wide, 0.0) * max(high, 0.0)


def bound(points, labels, places: list[Place]):
    return [place.bound(x, y, length=len(label)) for (x, y), label, place in zip(points, labels, places, strict=True)]


def test_label_stands_above_and_right_of_a_single_point():
    assert place_labels([(300, 200)], ["SCST"], width=WIDTH, height=HEIGHT) == [PLACES[0]]


def test_labels_of_near_points_do_not_cover_each_other_or_a_point():
    points = [(250.0, 240.0), (252.0, 249.0), (282.0, 252.0), (392.0, 258.0)]
    labels = ["UDA-2", "CIDEr + 1 JPC (5)", "CIDEr + .04 mCIDEr (5)", "UDA-5"]

    boxes = bound(points, labels, place_labels(points, labels, width=WIDTH, height=HEIGHT))

    assert [overlap(one, other) for at, one in enumerate(boxes) for other in boxes[at + 1 :]] == [0.0] * 6
    straight = bound(points, labels, [PLACES[0]] * 4)
    assert any(overlap(one, other) for at, one in enumerate(straight) for other in straight[at + 1 :])


@pytest.mark.parametrize("x", [5.0, WIDTH - 5.0])
def test_label_of_a_point_at_the_side_stays_in_the_plot(x):
    [place] = place_labels([(x, 200.0)], ["a rather long label"], width=WIDTH, height=HEIGHT)

    left, _, right, _ = place.bound(x, 200.0, length=len("a rather long label"))
    assert left >= 0.0
    assert right <= WIDTH


def test_points_without_a_label_cover_nothing_but_themselves():
    points = [(300.0, 200.0), (310.0, 192.0)]

    assert place_labels(points, ["", ""], width=WIDTH, height=HEIGHT) == [PLACES[0]] * 2
    assert place_labels(points, ["SCST", ""], width=WIDTH, height=HEIGHT)[0] != PLACES[0]


def test_many_labels_cover_less_than_where_all_stand_on_one_side():
    rng = np.random.default_rng(7)
    points = [(float(x), float(y)) for x, y in rng.uniform((30, 30), (WIDTH - 30, HEIGHT - 30), size=(25, 2))]
    labels = [f"system {number}" for number in range(25)]

    def total(places: list[Place]) -> float:
        boxes = bound(points, labels, places)
        return sum(overlap(one, other) for at, one in enumerate(boxes) for other in boxes[at + 1 :])

    assert total(place_labels(points, labels, width=WIDTH, height=HEIGHT)) < 0.2 * total([PLACES[0]] * 25)

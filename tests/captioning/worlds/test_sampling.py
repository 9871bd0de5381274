"""Tests that sampled worlds satisfy the rules of collision, boundary and order."""

import numpy as np
import pytest

from captioning.worlds.errors import SamplingFailed
from captioning.worlds.geometry import compute_area, compute_bounding_box, compute_distances
from captioning.worlds.overlap import are_apart, compute_overlaps, cover_entity, do_collide, measure_shared_area
from captioning.worlds.sampling import WorldSpec, sample_world


def test_overlaps_are_small_and_never_of_one_colour_with_like_shades() -> None:
    rng = np.random.default_rng(5)
    n_overlapping = 0
    for _ in range(25):
        world = sample_world(WorldSpec(8, 12, "reinforced", 3), rng=rng)
        covers = [cover_entity(entity, compute_bounding_box(entity), size=world.size) for entity in world.entities]
        covered = [0.0] * len(covers)
        for i, first in enumerate(world.entities):
            for j, second in enumerate(world.entities[:i]):
                shared = measure_shared_area(covers[i], covers[j])
                if shared == 0.0:
                    continue
                n_overlapping += 1
                covered[i] += shared / covers[i].area
                covered[j] += shared / covers[j].area
                assert first.color != second.color or abs(first.shade - second.shade) >= 0.5
                assert compute_overlaps(world)[i][j] <= 0.25
                # The larger of the two is behind.
                assert compute_area(second) >= compute_area(first)
        assert max(covered) <= 0.25 + 1e-9
    assert n_overlapping > 20


def test_circles_around_and_inside_entities_decide_as_pixels_do() -> None:
    rng = np.random.default_rng(9)
    n_apart = n_colliding = 0
    for _ in range(600):
        (entity,), (other,) = (sample_world(WorldSpec(1, 1), rng=rng).entities for _ in range(2))
        covers = [cover_entity(each, compute_bounding_box(each), size=64) for each in (entity, other)]
        shared = measure_shared_area(*covers)
        if are_apart(entity, other, size=64):
            n_apart += 1
            assert shared == 0.0
        if do_collide(entity, other, size=64):
            n_colliding += 1
            assert shared > 0.0
    assert n_apart > 100
    assert n_colliding > 10


def test_without_tolerance_entities_are_apart_and_inside() -> None:
    rng = np.random.default_rng(6)
    points = np.arange(64) / 63
    for _ in range(20):
        world = sample_world(WorldSpec(4, 4, tolerance=0.0), rng=rng)
        near = sum((compute_distances(each, points, points) <= 1 / 64).astype(int) for each in world.entities)
        assert near.max() == 1
        for each in world.entities:
            left, top, right, bottom = compute_bounding_box(each)
            assert min(left, top) >= 0.0
            assert max(right, bottom) <= 1.0


def test_at_most_a_quarter_lies_outside() -> None:
    rng = np.random.default_rng(7)
    fine = (np.arange(300) + 0.5) / 100 - 1.0
    outside = []
    for _ in range(150):
        (entity,) = sample_world(WorldSpec(1, 1), rng=rng).entities
        inside = compute_distances(entity, fine, fine) == 0.0
        in_square = (fine >= 0.0) & (fine <= 1.0)
        outside.append(1.0 - inside[in_square][:, in_square].sum() / inside.sum())

    # The share is counted in pixels, as the original does: of small shapes it is rough.
    assert max(outside) < 0.35
    assert sum(share > 0.02 for share in outside) > 10


def test_reinforced_worlds_repeat_attributes() -> None:
    def count_kinds(attributes: str) -> float:
        rng = np.random.default_rng(8)
        worlds = [sample_world(WorldSpec(10, 10, attributes, 3), rng=rng) for _ in range(30)]
        return sum(len({entity.shape for entity in world.entities}) for world in worlds) / 30

    assert count_kinds("reinforced") < count_kinds("mixed") < count_kinds("random")


def test_sampling_fails_after_too_many_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("captioning.worlds.sampling._WORLD_TRIES", 3)

    with pytest.raises(SamplingFailed, match="no world of 60 to 60 entities was found in 3 tries"):
        sample_world(WorldSpec(60, 60, tolerance=0.0), rng=np.random.default_rng(0))

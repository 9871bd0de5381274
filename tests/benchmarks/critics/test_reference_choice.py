"""Tests of the rule that chooses weights on one half of the images for evaluation on the other."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.critics.reference_choice import Demand, Measured, choose_weights, compare_choices, list_grid
from benchmarks.judged_captions import Judged, Values, choose_images
from correlation.protocols.inputs import RatedItems
from correlation.protocols.named import get_protocol
from correlation.tables import JudgmentTable
from metrics_plugins.api import Batch

N_IMAGES = 60


@pytest.fixture
def parts() -> Values:
    return np.random.default_rng(0).normal(size=(N_IMAGES, 4))


@pytest.fixture
def sets(parts: Values) -> dict[str, Measured]:
    """Ratings that are the second part on images of the development half, and the third on the others."""
    images = [f"image {number}" for number in range(N_IMAGES)]
    value = np.where(choose_images(images, "development"), parts[:, 1], parts[:, 2])
    table = JudgmentTable.build(items=images, image=images, item=images, rater=["rater"] * N_IMAGES, value=value)
    batch = Batch.make(images, candidates=images, references=[["x"]] * N_IMAGES)
    in_references = np.zeros(N_IMAGES, dtype=np.bool_)
    data = RatedItems.build(table, scores=np.zeros(N_IMAGES), in_references=in_references)
    judged = Judged(get_protocol("flickr8k-expert@1"), batch, data)
    return {"made up": Measured(judged, parts, cosines=-parts[:, 1], demand=Demand(gain=50.0, error=10.0))}


def test_grid_has_each_direction_once() -> None:
    grid = list_grid()

    # 3^4 less nothing at all, and less the 15 whose largest weight is a half, which are multiples of others.
    assert len(grid) == len(set(grid)) == 3**4 - 1 - 15
    assert all(max(weights) == 1 for weights in grid)


def test_margin_is_the_gain_beyond_the_demand_in_standard_errors(sets: dict[str, Measured]) -> None:
    # The part agrees wholly (100), what it is compared with not at all (-100).
    assert sets["made up"].find_margin((0, 1, 0, 0), "development") == pytest.approx((200 - 50) / 10)


def test_each_half_chooses_the_part_that_agrees_best_there(sets: dict[str, Measured]) -> None:
    assert choose_weights(sets, "development") == (0, 1, 0, 0)
    assert choose_weights(sets, "held back") == (0, 0, 1, 0)


def test_data_set_with_the_least_margin_decides(sets: dict[str, Measured], parts: Values) -> None:
    (first,) = sets.values()
    # Agrees with the third part; so much is asked of it that its margin is the least whatever is chosen.
    other = replace(first, parts=parts[:, [0, 2, 1, 3]], demand=Demand(gain=500.0, error=10.0))

    assert choose_weights({"first": first, "other": other}, "development") == (0, 0, 1, 0)


@pytest.mark.parametrize(("error", "n_parts"), [(10.0, 2), (10_000.0, 1)])
def test_of_margins_that_tie_the_one_of_fewest_parts_is_chosen(
    sets: dict[str, Measured], parts: Values, error: float, n_parts: int
) -> None:
    (found,) = sets.values()
    # Two parts whose sum is what people say.
    halves = np.column_stack([np.zeros(N_IMAGES), parts[:, 1] + parts[:, 0], parts[:, 1] - parts[:, 0], parts[:, 3]])
    both = {"made up": replace(found, parts=halves, demand=Demand(gain=50.0, error=error))}

    assert np.count_nonzero(choose_weights(both, "development")) == n_parts


def test_unseen_numbers_are_those_of_the_other_half(sets: dict[str, Measured]) -> None:
    found = compare_choices(sets)

    rows = found["rows"]
    assert rows["development"]["numbers"]["development"] == [pytest.approx(100)]
    ((first,), (second,)) = rows["development"]["numbers"]["held back"], rows["held back"]["numbers"]["development"]
    assert found["unseen"] == [pytest.approx((first + second) / 2)]
    assert found["unseen"][0] < 60

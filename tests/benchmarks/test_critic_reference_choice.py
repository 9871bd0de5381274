"""A rule chooses weights on one half of the images, and what it has not seen is what counts."""

import numpy as np
import pytest

from benchmarks.critic_reference_choice import choose_weights, compare_choices, list_grid
from benchmarks.judged_captions import Judged, choose_images
from correlation.inputs import RatedItems
from correlation.protocols import get_protocol
from correlation.tables import JudgmentTable
from metrics_plugins.api import Batch

N_IMAGES = 60


@pytest.fixture(scope="module")
def judged() -> dict[str, Judged]:
    """Ratings that are the second part on images of the development half, and the third on the others."""
    rng = np.random.default_rng(0)
    images = [f"image {number}" for number in range(N_IMAGES)]
    parts = rng.normal(size=(N_IMAGES, 4))
    value = np.where(choose_images(images, "development"), parts[:, 1], parts[:, 2])
    table = JudgmentTable.build(items=images, image=images, item=images, rater=["rater"] * N_IMAGES, value=value)
    batch = Batch.make(images, candidates=images, references=[["x"]] * N_IMAGES)
    in_references = np.zeros(N_IMAGES, dtype=np.bool_)
    data = RatedItems.build(table, scores=np.zeros(N_IMAGES), in_references=in_references)
    return {"made up": Judged(get_protocol("flickr8k-expert@1"), batch, data)}


@pytest.fixture(scope="module")
def parts() -> dict[str, np.ndarray]:
    return {"made up": np.random.default_rng(0).normal(size=(N_IMAGES, 4))}


def test_grid_has_each_direction_once() -> None:
    grid = list_grid()

    # 3^4 less nothing at all, and less the 15 whose largest weight is a half, which are multiples of others.
    assert len(grid) == len(set(grid)) == 3**4 - 1 - 15
    assert all(max(weights) == 1 for weights in grid)


def test_each_half_chooses_what_agrees_with_it(judged, parts) -> None:
    assert choose_weights(parts, judged, "development") == (0, 1, 0, 0)
    assert choose_weights(parts, judged, "held back") == (0, 0, 1, 0)


def test_unseen_numbers_are_those_of_the_other_half(judged, parts) -> None:
    found = compare_choices(parts, judged, (1.0, 1.0, 1.0, 1.0))

    rows = found["rows"]
    assert rows["development"]["numbers"]["development"] == [pytest.approx(100)]
    ((first,), (second,)) = rows["development"]["numbers"]["held back"], rows["held back"]["numbers"]["development"]
    assert found["unseen"] == [pytest.approx((first + second) / 2)]
    assert found["unseen"][0] < 60

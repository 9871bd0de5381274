"""Tests of the rule that chooses weights on the development part of the images."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.critics.reference_choice import Demand, Measured, Worth, choose_weights, rate_weights
from benchmarks.judged_captions import Judged, Values, choose_images
from correlation.protocols.inputs import RatedItems
from correlation.protocols.named import get_protocol
from correlation.tables import JudgmentTable
from metrics_plugins.api import Batch

N_IMAGES = 60


@pytest.fixture
def parts() -> Values:
    return np.random.default_rng(0).normal(size=(N_IMAGES, 3))


@pytest.fixture
def first(parts: Values) -> Measured:
    """Ratings that are the second part on images of the development part, and against it on the others."""
    images = [f"image {number}" for number in range(N_IMAGES)]
    value = np.where(choose_images(images, "development"), parts[:, 1], -parts[:, 1])
    table = JudgmentTable.build(items=images, image=images, item=images, rater=["rater"] * N_IMAGES, value=value)
    batch = Batch.make(images, candidates=images, references=[["x"]] * N_IMAGES)
    data = RatedItems.build(table, scores=np.zeros(N_IMAGES))
    parts = np.column_stack([-parts[:, 1], parts[:, 1:]])
    return Measured(Judged(get_protocol("composite@1"), batch, data), parts, Demand(gain=50.0, error=10.0))


def test_gain_is_over_the_first_part_on_the_development_part(first: Measured) -> None:
    # The second part agrees wholly (100), the first not at all (-100).
    assert first.find_gain((0, 1, 0)) == pytest.approx(200)
    assert first.find_gain((1, 0, 0)) == 0.0


def test_worth_is_the_shortfall_and_then_the_least_gain(first: Measured) -> None:
    demanding = replace(first, demand=Demand(gain=240.0, error=20.0))

    assert rate_weights({"first": first}, (0, 1, 0)) == Worth(0.0, pytest.approx(20))
    found = rate_weights({"first": first, "second": demanding}, (0, 1, 0))
    assert found == Worth(pytest.approx(-2), pytest.approx(10))
    assert Worth(-1.0, 9.0) < Worth(0.0, 1.0) < Worth(0.0, 2.0)


def test_weights_that_cannot_win_are_given_up(first: Measured) -> None:
    assert rate_weights({"first": first}, (0, 1, 0), beaten_by=Worth(0.0, 20.0)) is None
    assert rate_weights({"first": first}, (0, 1, 0), beaten_by=Worth(0.0, 19.0)) is not None


def test_search_finds_the_part_that_agrees(first: Measured) -> None:
    weights, worth = choose_weights({"first": first}, start=(1.0, 0.0, 0.0), n_tries=200, rng=np.random.default_rng(0))

    assert worth == rate_weights({"first": first}, weights)
    assert worth.least > 19
    assert weights[1] - weights[0] > 5 * abs(weights[2])

from math import isnan

import numpy as np
import pytest

from correlation.agreement.measures import AGREEMENTS, measure_agreement
from correlation.errors import CorrelationInputError, UnknownNameError

RNG = np.random.default_rng(2)
N_ITEMS, N_RATERS = 40, 3
TABLE = np.clip(RNG.integers(1, 5, size=(N_ITEMS, 1)) + RNG.integers(-1, 2, size=(N_ITEMS, N_RATERS)), 1, 4)
ITEM, RATER = (axis.reshape(-1) for axis in np.indices(TABLE.shape))
COLUMNS = {"item": ITEM, "rater": RATER, "value": TABLE.reshape(-1)}


@pytest.mark.parametrize("coefficient", AGREEMENTS)
def test_every_coefficient_has_value_and_interval(coefficient):
    result = measure_agreement(
        **COLUMNS, coefficient=coefficient, confidence=0.95, n_resamples=200, rng=np.random.default_rng(1)
    )

    assert -1 <= result.low < result.value < result.high <= 1
    assert (result.n_items, result.n_left_out, result.n_raters, result.n_judgments) == (40, 0, 3, 120)


@pytest.mark.parametrize("coefficient", AGREEMENTS)
def test_perfect_agreement_is_one(coefficient):
    result = measure_agreement(item=ITEM, rater=RATER, value=ITEM % 4 + 1, coefficient=coefficient)

    assert result.value == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("coefficient", AGREEMENTS)
def test_names_of_items_and_raters_do_not_matter(coefficient):
    item, rater = RNG.permutation(N_ITEMS)[ITEM], RNG.permutation(N_RATERS)[RATER]
    order = RNG.permutation(len(ITEM))

    renamed = measure_agreement(
        item=item[order], rater=rater[order], value=COLUMNS["value"][order], coefficient=coefficient
    )

    assert renamed.value == pytest.approx(measure_agreement(**COLUMNS, coefficient=coefficient).value, abs=1e-12)


def test_items_of_one_image_are_resampled_together():
    def width(**clusters):
        result = measure_agreement(
            item=np.arange(400).repeat(2),
            rater=np.tile([0, 1], 400),
            value=np.tile(TABLE[:, :2], (1, 10)).reshape(-1),
            coefficient="krippendorff-interval",
            confidence=0.9,
            rng=np.random.default_rng(3),
            **clusters,
        )
        return result.high - result.low

    # Ten equal copies of each of 40 items carry the information of one.
    assert width(image=np.arange(40).repeat(20)) / width() == pytest.approx(10**0.5, rel=0.15)


@pytest.mark.parametrize(
    ("coefficient", "item", "rater", "value", "reason", "left_out"),
    [
        ("krippendorff-nominal", [1, 2], [1, 2], [1, 2], "no item has two judgments", 2),
        ("krippendorff-nominal", [1, 1], [1, 2], [3, 3], "all judgments are equal", 0),
        ("fleiss", [1, 1, 2], [1, 2, 1], [1, 2, 1], "items have 1 to 2 judgments; Fleiss' kappa needs equally many", 2),
        ("cohen-none", [1, 2], [1, 2], [1, 2], "no item was judged by two raters", 2),
        ("icc-2", [1, 1, 2], [1, 2, 1], [1, 2, 1], r"1 item\(s\) have all 2 judgments; 2 of each are needed", 1),
        ("icc-1", [1, 2], [1, 1], [1, 2], r"2 item\(s\) have all 1 judgments", 0),
    ],
)
def test_undefined_says_why(coefficient, item, rater, value, reason, left_out):
    result = measure_agreement(
        item=item, rater=rater, value=value, coefficient=coefficient, confidence=0.9, rng=np.random.default_rng(1)
    )

    assert isnan(result.value)
    assert isnan(result.low)
    assert result.n_left_out == left_out
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(result.reason)


def test_one_way_icc_takes_items_with_the_usual_number_of_judgments():
    keep = np.ones(120, dtype=bool)
    keep[[0, 5, 7]] = False

    result = measure_agreement(item=ITEM[keep], rater=RATER[keep], value=COLUMNS["value"][keep], coefficient="icc-1")

    assert (result.n_items, result.n_left_out) == (37, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"coefficient": "kappa"}, "unknown agreement coefficient 'kappa'; known are: krippendorff-nominal"),
        ({"confidence": 95}, r"`confidence` must be in \(0, 1\), got 95"),
        ({"confidence": 0.9, "rng": None}, "`rng` is needed by an interval, got None"),
        ({"confidence": 0.9, "image": RATER}, r"`image` differs between two judgments of one item \(index 0\)"),
    ],
)
def test_refuses(arguments, message):
    with pytest.raises((CorrelationInputError, UnknownNameError), match=message):
        measure_agreement(**COLUMNS, **{"coefficient": "fleiss", "rng": RNG, **arguments})

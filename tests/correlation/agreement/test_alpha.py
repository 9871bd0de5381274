import krippendorff
import numpy as np
import pytest

from correlation.agreement.alpha import DISTANCES, prepare_alpha
from correlation.agreement.item_ratings import ItemRatings
from correlation.errors import CorrelationInputError

# Krippendorff (2011), example C: four observers, twelve units, values missing; published alpha: nominal .743,
# ordinal .815, interval .849, ratio .797.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
PUBLISHED = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}


def build(table):
    rows = [(j, i, v) for i, line in enumerate(table) for j, v in enumerate(line) if v is not None and v == v]
    item, rater, value = zip(*rows, strict=True)
    return ItemRatings.build(item=item, rater=rater, value=value)


def alpha(table, scale):
    ratings = build(table)
    return prepare_alpha(ratings, scale)(np.ones((1, ratings.n_items)))[0]


@pytest.mark.parametrize("scale", PUBLISHED)
def test_published_example(scale):
    assert alpha(OBSERVERS, scale) == pytest.approx(PUBLISHED[scale], abs=5e-4)


# The package krippendorff 0.9.0 is the oracle.
@pytest.mark.parametrize("scale", DISTANCES)
@pytest.mark.parametrize("seed", range(5))
def test_equals_krippendorff(scale, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 6, size=(5, 40)).astype(float)
    table[rng.random(table.shape) < 0.3] = np.nan

    expected = krippendorff.alpha(reliability_data=table, level_of_measurement=scale)

    assert alpha(table.tolist(), scale) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("scale", DISTANCES)
def test_a_weight_is_a_number_of_copies(scale):
    ratings = build(OBSERVERS)
    weights = np.random.default_rng(3).integers(0, 3, ratings.n_items)
    copies = [
        (f"{item}.{copy}", rater, value)
        for item, rater, value in zip(ratings.item, ratings.rater, ratings.value, strict=True)
        for copy in range(weights[item])
    ]
    repeated = ItemRatings.build(
        item=[i for i, _, _ in copies], rater=[r for _, r, _ in copies], value=[v for _, _, v in copies]
    )

    weighted = prepare_alpha(ratings, scale)(weights[None].astype(float))[0]

    assert weighted == pytest.approx(prepare_alpha(repeated, scale)(np.ones((1, repeated.n_items)))[0], abs=1e-12)


def test_equal_judgments_have_no_alpha():
    assert np.isnan(alpha([[2, 2], [2, 2]], "nominal"))


def test_ratio_needs_judgments_above_0():
    with pytest.raises(CorrelationInputError, match="scale 'ratio' needs judgments of 0 and above, got -1"):
        alpha([[-1, 2], [1, 2]], "ratio")

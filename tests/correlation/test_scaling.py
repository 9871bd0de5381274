"""Tests that coefficients do not depend on the scale of the data: squares overflow above 1e154."""

from dataclasses import replace

import numpy as np
import pytest

from correlation.agreement.disagreement import spread_values
from correlation.agreement.measures import AGREEMENTS, measure_agreement
from correlation.coefficients.bivariate import COEFFICIENTS, get_coefficient
from correlation.coefficients.grouped import correlate_groups
from correlation.coefficients.weighted import WEIGHTED, prepare_weighted
from correlation.comparison.permutation import standardise
from correlation.planning.pilots import estimate_systems
from correlation.protocols.aggregation import aggregate_judgments
from correlation.protocols.scatter import fit_line
from correlation.resampling.counts import Units
from correlation.resampling.joint import PREPARERS, arrange_jointly
from correlation.scaling import find_exponent, find_group_exponents, scale_values
from correlation.tables import JudgmentTable

# Powers of two: data scaled by them have results that are equal to the last digit.
SCALES = [2.0**exponent for exponent in (-570, -1000, 531, 1015)]
"""About 1e-172, 1e-301, 1e160 and 1e305."""


def draw(n=40):
    rng = np.random.default_rng(3)
    x = rng.normal(size=n)
    return x, x + rng.normal(size=n)


def fit_judgments(coefficient, judgments):
    """Return judgments of two values for the coefficient that is undefined for others."""
    return (judgments > np.median(judgments)).astype(float) if coefficient == "point-biserial" else judgments


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("coefficient", sorted(COEFFICIENTS))
def test_coefficient_does_not_depend_on_the_scale(coefficient, scale):
    (x, y), compute = draw(), get_coefficient(coefficient)

    assert compute(x * scale, y) == compute(x, y * scale) == compute(x * scale, y / scale) == compute(x, y)


@pytest.mark.parametrize(("large", "small"), [(1e160, 1e-170), (1e-200, 1e200), (1e-170, 1e-170)])
def test_pearson_is_that_of_scipy_at_far_scales(large, small):
    from scipy.stats import pearsonr

    x, y = draw()

    assert get_coefficient("pearson")(x * large, y * small) == pytest.approx(pearsonr(x, y).statistic, abs=1e-14)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("coefficient", sorted(WEIGHTED))
def test_resampled_coefficient_does_not_depend_on_the_scale(coefficient, scale):
    x, y = draw()
    y = fit_judgments(coefficient, y)
    weights = np.random.default_rng(4).multinomial(40, np.full(40, 1 / 40), size=20).astype(float)

    scaled = prepare_weighted(coefficient, x * scale, y / scale)(weights)

    assert not np.isnan(scaled).any()
    assert scaled.tolist() == prepare_weighted(coefficient, x, y)(weights).tolist()


@pytest.mark.parametrize("outlier", [1e12, 1e20, 1e170, 1e300])
def test_resample_without_an_outlier_is_the_coefficient_of_what_was_drawn(outlier):
    x, y = np.array([1.0, 2.0, 4.0, outlier]), np.array([2.0, 1.0, 3.0, 5.0])
    weights = np.array([[1.0, 2.0, 1.0, 0.0]])

    value = prepare_weighted("pearson", x, y)(weights)[0]

    assert value == pytest.approx(get_coefficient("pearson")([1, 2, 2, 4], [2, 1, 1, 3]), abs=1e-12)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("coefficient", sorted(PREPARERS))
def test_joint_coefficients_do_not_depend_on_the_scale(coefficient, scale):
    rng = np.random.default_rng(5)
    scores, judgments = rng.integers(1, 4, size=(2, 60)).astype(float), rng.integers(1, 5, size=60).astype(float)
    judgments = fit_judgments(coefficient, judgments)
    units = Units({"images": np.repeat(np.arange(20), 3)}, {"images": 20})
    counts = {"images": rng.multinomial(20, np.full(20, 1 / 20), size=8).astype(float)}

    scaled = arrange_jointly(coefficient, scores * scale, judgments / scale, units)
    plain = arrange_jointly(coefficient, scores, judgments, units)

    values = scaled.prepare()(counts)

    assert not np.isnan(values).any()
    assert values.tolist() == plain.prepare()(counts).tolist()


def test_joint_resample_without_an_outlier_is_the_coefficient_of_what_was_drawn():
    scores, judgments = np.array([[1.0, 2.0, 4.0, 1e200] * 2]), np.array([2.0, 1.0, 3.0, 3.0] * 2)
    units = Units({"images": np.array([0, 1, 2, 3] * 2)}, {"images": 4})

    arranged = arrange_jointly("pearson", scores, judgments, units)
    value = arranged.prepare()({"images": np.array([[1.0, 2.0, 1.0, 0.0]])})[0, 0]

    assert value == pytest.approx(get_coefficient("pearson")([1, 2, 2, 4], [2, 1, 1, 3]), abs=1e-12)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_coefficients_of_groups_do_not_depend_on_the_scale_of_each(coefficient, scale):
    (x, y), group = draw(), np.repeat(np.arange(10), 4)
    scales = np.where(np.arange(10) % 2, scale, 1.0)[group]

    scaled = correlate_groups(coefficient, x * scales, y / scales, group)

    assert scaled.tolist() == correlate_groups(coefficient, x, y, group).tolist()


def make_table(scale=1.0):
    rng = np.random.default_rng(6)
    quality = rng.integers(1, 5, size=30)
    value = np.clip(quality[:, None] + rng.integers(-1, 2, size=(30, 3)), 1, 5) * scale
    keys = [f"i{number:02}" for number in range(30)]
    return JudgmentTable.build(
        items=keys, image=keys, item=np.repeat(keys, 3), rater=["a", "b", "c"] * 30, value=value.ravel()
    )


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("coefficient", sorted(AGREEMENTS))
def test_agreement_does_not_depend_on_the_scale(coefficient, scale):
    def measure(table):
        columns = {"item": table.items[table.item], "rater": table.rater, "value": table.value}
        return measure_agreement(coefficient=coefficient, **columns).value

    assert measure(make_table(scale)) == measure(make_table())


@pytest.mark.parametrize("scale", SCALES)
def test_mean_of_standardised_judgments_does_not_depend_on_the_scale(scale):
    scaled = aggregate_judgments(make_table(scale), rule="z-mean")

    assert scaled.tolist() == aggregate_judgments(make_table(), rule="z-mean").tolist()


@pytest.mark.parametrize("scale", SCALES)
def test_standardised_scores_do_not_depend_on_the_scale(scale):
    x, _ = draw()

    assert standardise(x * scale).tolist() == standardise(x).tolist()


@pytest.mark.parametrize("scale", SCALES)
def test_spread_of_each_item_has_its_scale(scale):
    spread = spread_values([0, 0, 1, 1], [1.0 * scale, 3.0 * scale, 1.0, 3.0], n_items=2)

    assert spread.tolist() == [2**0.5 * scale, 2**0.5]


@pytest.mark.parametrize("scale", [2.0**-570, 2.0**531])
def test_line_has_the_scale_of_its_points(scale):
    line = fit_line(np.array([0.0, 1.0, 2.0]) * scale, [1.0, 3.0, 5.0])

    assert (line.slope, line.intercept) == (2 / scale, 1.0)


@pytest.mark.parametrize("scale", SCALES)
def test_pilot_has_the_scale_of_its_ratings(scale):
    rows = {"image": [1, 1, 1, 2, 2, 3, 3], "system": list("aababab"), "first": "a", "second": "b"}
    value = np.array([3.0, 2, 1, 4, 3, 2, 2])

    plain, scaled = (estimate_systems(value=value * by, **rows) for by in (1.0, scale))

    assert scaled == replace(
        plain,
        difference=plain.difference * scale,
        deviation=plain.deviation * scale,
        rater_deviation=plain.rater_deviation * scale,
    )


def test_exponents_of_empty_arrays_and_zeros_are_0():
    assert (find_exponent(np.empty(0)), find_exponent(np.zeros(2))) == (0, 0)
    assert find_group_exponents(np.array([0.0, np.nan, 8.0]), np.array([0, 0, 2]), n_groups=3).tolist() == [0, 0, 4]
    assert scale_values(np.array([4.0, -6.0])).tolist() == [0.5, -0.75]

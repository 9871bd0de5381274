import json
import time
from math import isnan

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from correlation.coefficients.bivariate import COEFFICIENTS, explain_undefined, get_coefficient
from correlation.errors import CorrelationInputError, UnknownNameError
from tests.correlation.shared_data import GOLDEN

CASES = json.loads((GOLDEN / "correlations.json").read_text())["cases"]
GOLDEN_NAMES = {
    "pearson": "pearson",
    "spearman": "spearman",
    "kendall-b": "kendall_tau_b",
    "kendall-c": "kendall_tau_c",
}
# SciPy 1.17.1 is the oracle: an independent implementation in C.
SCIPY = {
    "pearson": lambda x, y: scipy.stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: scipy.stats.spearmanr(x, y).statistic,
    "kendall-b": lambda x, y: scipy.stats.kendalltau(x, y, variant="b").statistic,
    "kendall-c": lambda x, y: scipy.stats.kendalltau(x, y, variant="c").statistic,
}
OBSERVATIONS = st.lists(
    st.tuples(st.integers(-5, 5), st.one_of(st.integers(1, 4), st.integers(-1000, 1000))), min_size=2, max_size=80
)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_golden_values(case, name):
    expected = case["expected"][GOLDEN_NAMES[name]]

    value = COEFFICIENTS[name](case["x"], case["y"])

    assert isnan(value) if expected is None else value == pytest.approx(expected, abs=1e-12)


# By hand, x = 0 0 1 2 (metric), y = 1 2 2 3 (judgments): of the 6 pairs (0,1) is tied in x, (1,2) in y, the other four
# are concordant. tau-a 4/6; tau-b 4/sqrt(5 * 5); tau-c 2 * 4 / (16 * 2/3); WMT: (1,2) is left out, (0,1) counts as
# discordant: (4 - 1)/(4 + 1). Pearson: deviations x -.75 -.75 .25 1.25 and y -1 0 0 1: 2 / sqrt(2.75 * 2). Ranks are
# 1.5 1.5 3 4 and 1 2.5 2.5 4: deviations -1 -1 .5 1.5 and -1.5 0 0 1.5: 3.75 / sqrt(4.5 * 4.5).
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kendall-a", 4 / 6),
        ("kendall-b", 4 / 5),
        ("kendall-c", 8 / (16 * 2 / 3)),
        ("kendall-wmt", 3 / 5),
        ("pearson", 2 / 5.5**0.5),
        ("spearman", 3.75 / 4.5),
    ],
)
def test_values_by_hand(name, expected):
    assert COEFFICIENTS[name]([0, 0, 1, 2], [1, 2, 2, 3]) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", SCIPY)
@given(observations=OBSERVATIONS)
def test_equals_scipy(name, observations):
    x, y = np.array(observations, dtype=float).T
    assume(explain_undefined(x, y) is None)

    assert COEFFICIENTS[name](x, y) == pytest.approx(SCIPY[name](x, y), abs=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(observations=OBSERVATIONS, data=st.data())
def test_order_of_observations_does_not_matter(name, observations, data):
    shuffled = data.draw(st.permutations(observations))

    first, second = (COEFFICIENTS[name](*np.array(o, dtype=float).T) for o in (observations, shuffled))

    assert first == pytest.approx(second, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", [name for name in COEFFICIENTS if name != "kendall-wmt"])
@given(observations=OBSERVATIONS)
def test_is_symmetric_and_bounded_and_turns_sign_with_a_variable(name, observations):
    x, y = np.array(observations, dtype=float).T
    value = COEFFICIENTS[name](x, y)

    assert isnan(value) == (explain_undefined(x, y) is not None)
    assert isnan(value) or -1 <= value <= 1
    assert COEFFICIENTS[name](y, x) == pytest.approx(value, abs=1e-12, nan_ok=True)
    assert COEFFICIENTS[name](-x, y) == pytest.approx(-value, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_perfect_agreement_is_one(name):
    assert COEFFICIENTS[name]([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], "0 observation(s), at least 2 are needed"),
        ([1], [1], "1 observation(s), at least 2 are needed"),
        ([0.1] * 3, [1, 2, 3], "the score is 0.1 in all 3 observations"),
        ([1, 2], [4, 4], "the judgment is 4 in all 2 observations"),
    ],
)
def test_undefined_is_nan_and_says_why(name, x, y, reason):
    assert isnan(COEFFICIENTS[name](x, y))
    assert explain_undefined(x, y) == reason


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, np.nan], [1, 2], "`x` is NaN at index 1: count and remove missing values first"),
        ([1, 2], [1, 2, 3], r"`y` must have one entry per x \(2\), got 3"),
        ([[1, 2]], [1, 2], r"`x` must have 1 dimension\(s\), got shape \(1, 2\)"),
    ],
)
def test_refuses(name, x, y, message):
    with pytest.raises(CorrelationInputError, match=message):
        COEFFICIENTS[name](x, y)


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match="unknown coefficient 'tau'; known are: pearson, spearman, kendall-a"):
        get_coefficient("tau")


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.parametrize("n", [17_000, 120_000])
@pytest.mark.parametrize("levels", ["ratings", "continuous"])
def test_tau_c_equals_scipy_and_is_not_slower(n, levels):
    rng = np.random.default_rng(20260101)
    ratings = rng.integers(1, 5, n).astype(float)
    y = ratings if levels == "ratings" else ratings + rng.normal(size=n)
    x = ratings + 2 * rng.normal(size=n)

    assert COEFFICIENTS["kendall-c"](x, y) == pytest.approx(SCIPY["kendall-c"](x, y), abs=1e-12)
    ours, scipys = (min(time_call(f, x, y) for _ in range(5)) for f in (COEFFICIENTS["kendall-c"], SCIPY["kendall-c"]))
    assert ours <= scipys


def time_call(function, x, y):
    start = time.perf_counter()
    function(x, y)
    return time.perf_counter() - start

from math import isnan, nan

import numpy as np
import pytest

from correlation.comparison.compare import ComparisonRequest, compare_metrics, tabulate_outcomes
from correlation.comparison.methods import ComparisonOutcome
from correlation.comparison.williams import williams_test
from correlation.correlate import correlate
from correlation.errors import CorrelationInputError, UnknownNameError

RNG = np.random.default_rng(17)
N = 120
TRUTH = RNG.normal(size=N)
JUDGMENTS = TRUTH + RNG.normal(size=N) * 0.5
SCORES = {
    "noise": RNG.normal(size=N),
    "good": TRUTH + RNG.normal(size=N) * 0.3,
    "fair": TRUTH + RNG.normal(size=N) * 0.35,
}
IMAGES = np.arange(N) // 4
SYSTEMS = np.arange(N) % 4
REQUESTS = [
    ComparisonRequest("perm-both", n_resamples=200),
    ComparisonRequest("perm-input", n_resamples=200),
    ComparisonRequest("perm-system", n_resamples=200),
    ComparisonRequest("bootstrap", ("images",), n_resamples=200),
    ComparisonRequest("williams"),
]


def compare(request, scores=SCORES, judgments=JUDGMENTS, seed=1, **arguments):
    keys = {"level": "item", "coefficient": "pearson", "groups": IMAGES, "systems": SYSTEMS}
    return compare_metrics(scores, judgments, request=request, rng=np.random.default_rng(seed), **{**keys, **arguments})


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.test)
def test_metrics_are_ranked_and_every_pair_is_tested_once(request_):
    table = compare(request_)

    expected = {name: correlate(x, JUDGMENTS, level="item", coefficient="pearson").value for name, x in SCORES.items()}
    assert table.metrics == ("good", "fair", "noise")
    assert dict(zip(table.metrics, table.values, strict=True)) == expected
    assert [(d.first, d.second) for d in table.differences] == [("good", "fair"), ("good", "noise"), ("fair", "noise")]
    assert [d.difference for d in table.differences] == pytest.approx(
        [
            expected["good"] - expected["fair"],
            expected["good"] - expected["noise"],
            expected["fair"] - expected["noise"],
        ]
    )
    assert (table.n, table.n_missing) == (N, 0)


@pytest.mark.parametrize(
    "request_", [request for request in REQUESTS if request.test != "perm-system"], ids=lambda request: request.test
)
def test_noise_differs_significantly_and_equal_metrics_do_not(request_):
    table = compare(request_)

    assert table.find("noise", "good").p_adjusted < 0.05
    assert table.find("good", "fair").p_adjusted > 0.05
    assert table.letters == ("a", "a", "b")


# Four systems have 16 ways to be swapped, 2 of which show the same difference: p cannot fall below 1/8.
def test_four_systems_are_too_few_for_perm_system():
    table = compare(ComparisonRequest("perm-system", n_resamples=500))

    assert table.find("good", "noise").p_value > 0.08
    assert table.letters == ("a", "a", "a")


def test_williams_takes_the_correlation_between_the_metrics():
    table = compare(ComparisonRequest("williams", correction="none"))

    r = {
        pair: float(np.corrcoef(*columns)[0, 1])
        for pair, columns in {
            "first": (SCORES["good"], JUDGMENTS),
            "second": (SCORES["fair"], JUDGMENTS),
            "between": (SCORES["good"], SCORES["fair"]),
        }.items()
    }
    assert table.find("good", "fair").p_value == pytest.approx(williams_test(**r, n=N).p_value, abs=1e-12)


def test_bootstrapped_differences_have_bounds_of_shared_resamples():
    twice = {"one": SCORES["good"], "same": 2 * SCORES["good"] + 1}

    difference = compare(ComparisonRequest("bootstrap", ("images",), n_resamples=100), twice).differences[0]

    assert (difference.low, difference.high) == pytest.approx((0, 0), abs=1e-12)
    assert difference.p_value == 1


def test_rows_missing_for_one_metric_are_left_out_for_all():
    gaps = {**SCORES, "noise": np.where(np.arange(N) < 5, nan, SCORES["noise"])}

    table = compare(ComparisonRequest("williams"), gaps)

    assert (table.n, table.n_missing) == (N - 5, 5)
    good = correlate(SCORES["good"][5:], JUDGMENTS[5:], level="item", coefficient="pearson").value
    assert table.values[0] == pytest.approx(good, abs=1e-12)


@pytest.mark.parametrize("request_", REQUESTS[:4], ids=lambda request: request.test)
def test_a_constant_metric_ranks_last_without_a_p_value(request_):
    table = compare(request_, {**SCORES, "constant": np.ones(N)})

    assert table.metrics[-1] == "constant"
    assert isnan(table.values[-1])
    assert isnan(table.find("good", "constant").p_value)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.test)
def test_without_a_row_for_all_metrics_nothing_is_defined(request_):
    gaps = {**SCORES, "noise": np.full(N, nan)}

    table = compare(request_, gaps)

    assert (table.n, table.n_missing) == (0, N)
    assert all(isnan(difference.p_value) for difference in table.differences)


def test_ratings_of_one_candidate_are_swapped_together():
    judgments, candidates = np.repeat(JUDGMENTS, 3), np.repeat(np.arange(N), 3)
    scores = {name: np.repeat(column, 3) for name, column in SCORES.items()}
    request = ComparisonRequest("perm-both", n_resamples=300)

    once, thrice, torn = (
        compare_metrics(
            s, y, level="item", coefficient="pearson", request=request, rng=np.random.default_rng(2), items=i
        )
        for s, y, i in ((SCORES, JUDGMENTS, None), (scores, judgments, candidates), (scores, judgments, None))
    )

    assert thrice.find("good", "fair").p_value == once.find("good", "fair").p_value
    assert torn.find("good", "fair").p_value < once.find("good", "fair").p_value


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.test)
def test_the_same_seed_gives_the_same_table(request_):
    assert compare(request_, seed=4) == compare(request_, seed=4)


def test_signature_prints_every_choice():
    assert ComparisonRequest().signature == "test:perm-input|n:1000|correction:holm|alpha:0.05"
    assert ComparisonRequest("bootstrap", ("images", "raters"), 500, "bh").signature == (
        "test:bootstrap|resampled:images+raters|n:500|correction:bh|alpha:0.05"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("t-test",), "unknown test 't-test'; known are: perm-both, perm-input, perm-system, bootstrap, williams"),
        (("bootstrap",), r"`resampled` belongs to test 'bootstrap', got 'bootstrap' with \(\)"),
        (("perm-both", ("images",)), "`resampled` belongs to test 'bootstrap', got 'perm-both'"),
        (("perm-both", (), 0), "`n_resamples` must be at least 1, got 0"),
        (("perm-both", (), 10, "holm", 5), r"`alpha` must be in \(0, 1\), got 5"),
        (("perm-both", (), 10, "sidak"), "unknown correction 'sidak'"),
    ],
)
def test_request_refuses(arguments, message):
    with pytest.raises((CorrelationInputError, UnknownNameError), match=message):
        ComparisonRequest(*arguments)


@pytest.mark.parametrize(
    ("request_", "arguments", "message"),
    [
        (REQUESTS[0], {"scores": {"one": TRUTH}}, "`scores` must have at least two metrics, got 1"),
        (
            REQUESTS[0],
            {"scores": {"a": [1], "b": [2]}},
            r"`scores\['a'\]` must have one entry per judgment \(120\), got 1",
        ),
        (REQUESTS[1], {"groups": None}, "test 'perm-input' needs keys of `images`, none were given"),
        (REQUESTS[2], {"systems": None}, "test 'perm-system' needs keys of `systems`, none were given"),
        (REQUESTS[3], {"groups": None}, "test 'bootstrap' needs keys of `images`, none were given"),
        (REQUESTS[4], {"coefficient": "spearman"}, "'williams' is for Pearson at item, system or global level, got"),
        (REQUESTS[4], {"level": "group"}, "got pearson at group"),
    ],
)
def test_refuses(request_, arguments, message):
    with pytest.raises(CorrelationInputError, match=message):
        compare(request_, **arguments)


@pytest.mark.parametrize("request_", REQUESTS[:4], ids=lambda request: request.test)
def test_resampling_needs_randomness(request_):
    with pytest.raises(CorrelationInputError, match=f"`rng` is needed by test '{request_.test}', got None"):
        compare_metrics(
            SCORES, JUDGMENTS, level="item", coefficient="pearson", request=request_, groups=IMAGES, systems=SYSTEMS
        )


def test_an_unknown_pair_is_named():
    with pytest.raises(UnknownNameError, match=r"unknown pair of metrics \('good', 'best'\)"):
        compare(ComparisonRequest("williams")).find("good", "best")


# Rank clusters would have one cluster here: no metric above differs from all metrics below.
def test_metrics_share_a_letter_if_and_only_if_no_difference_between_them_was_found():
    p_values = {("a", "b"): 0.4, ("a", "c"): 0.02, ("a", "d"): 0.01, ("b", "c"): 0.3, ("b", "d"): 0.03, ("c", "d"): nan}

    table = tabulate_outcomes(
        {pair: ComparisonOutcome(p_value) for pair, p_value in p_values.items()},
        {"a": 0.5, "b": 0.4, "c": 0.3, "d": 0.2},
        level="item",
        coefficient="pearson",
        request=ComparisonRequest("perm-both", correction="none"),
        n=20,
        n_missing=0,
    )

    letters = dict(zip(table.metrics, table.letters, strict=True))
    assert letters == {"a": "a", "b": "ab", "c": "bc", "d": "c"}
    assert {pair for pair in p_values if not set(letters[pair[0]]) & set(letters[pair[1]])} == {
        pair for pair, p_value in p_values.items() if p_value < 0.05
    }

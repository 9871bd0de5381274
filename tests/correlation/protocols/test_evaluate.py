"""Tests of protocols on hand-made tables, and on the published judgments with the official SPICE scores.

The expected numbers of SPICE 1.0 are those of the golden folder's README (values computed by SciPy from the same
files) and, where it is marked so, of the published tables.
"""

import dataclasses
from math import nan

import numpy as np
import pytest
import scipy.stats

from correlation.errors import CorrelationInputError
from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from correlation.tables import JudgmentTable


def summarise(rows):
    return [(row.level, row.coefficient, row.category, row.n, row.n_missing) for row in rows]


def test_flickr8k_expert_drops_own_references_and_counts_each_rating(flickr8k_expert):
    assert (len(flickr8k_expert.judgments.items), int(flickr8k_expert.in_references.sum())) == (5822, 158)

    rows = evaluate_protocol(get_protocol("flickr8k-expert@1"), flickr8k_expert)

    assert summarise(rows) == [("item", "kendall-c", None, 16_992, 0)]
    assert rows[0].value == pytest.approx(0.4489, abs=5e-5)


def test_flickr8k_expert_with_mean_ratings(flickr8k_expert):
    protocol = get_protocol(
        "flickr8k-expert", ratings="mean", measures=["item:kendall-c", "item:pearson", "item:spearman"]
    )

    rows = evaluate_protocol(protocol, flickr8k_expert)

    assert [row.n for row in rows] == [5664] * 3
    assert [row.value for row in rows] == pytest.approx([0.4709, 0.6620, 0.6744], abs=5e-5)


def test_flickr8k_cf_correlates_the_share_of_yes_in_all_rows(flickr8k_cf):
    assert len(flickr8k_cf.judgments.value) == 144_860

    rows = evaluate_protocol(get_protocol("flickr8k-cf"), flickr8k_cf)

    assert summarise(rows) == [("item", "kendall-b", None, 47_830, 0)]
    assert rows[0].value == pytest.approx(0.2442, abs=5e-5)


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("wrong", [0.612, 0.944, 0.855, 0.479, 0.7225]),
        ("half", [0.6385, 0.9655, 0.8755, 0.6705, 0.7875]),
        ("right", [0.665, 0.987, 0.896, 0.862, 0.8525]),
    ],
)
def test_pascal_50s_by_tie_rule(pascal_50s, ties, expected):
    rows = evaluate_protocol(get_protocol("pascal-50s", ties=ties), pascal_50s)

    assert [(row.category, row.n) for row in rows] == [
        ("HC", 1000),
        ("HI", 1000),
        ("HM", 1000),
        ("MM", 1000),
        ("mean", 4000),
    ]
    assert [row.value for row in rows] == pytest.approx(expected, abs=1e-12)


# SPICE's row in table 2 of the SPICE-U paper (Wang et al. 2020) has just these digits.
def test_spice_u_pascal_regenerates_the_published_row(spice_u_pascal):
    assert len(spice_u_pascal.votes.value) == 43_994

    rows = evaluate_protocol(get_protocol("spice-u-pascal@1"), spice_u_pascal)

    assert [(row.coefficient, row.category, row.n) for row in rows[4:]] == [
        ("accuracy", "mean", 4000),
        ("pearson", None, 4000),
    ]
    assert [row.value for row in rows[:4]] == pytest.approx([0.668, 0.985, 0.938, 0.711], abs=1e-12)
    assert rows[5].value == pytest.approx(0.7492, abs=5e-5)
    assert rows[5].level == "pair"


RATINGS = JudgmentTable.build(
    items=["a", "b", "c", "d"],
    image=["1", "1", "2", "2"],
    system=["s", "t", "s", "t"],
    item=["a", "b", "c", "d", "a", "b", "c", "d"],
    rater=["ann"] * 4 + ["bob"] * 4,
    value=[1, 2, 3, 1, 2, 4, 3, 3],
)


def test_diversity_correlates_mean_judgments_over_sets_and_within_images():
    rows = evaluate_protocol(get_protocol("diversity"), RatedItems.build(RATINGS, scores=[1, 2, 3, 4]))

    means = [1.5, 3, 3, 2]
    assert summarise(rows) == [
        ("item", "pearson", None, 4, 0),
        ("item", "spearman", None, 4, 0),
        ("group", "spearman", None, 2, 0),
    ]
    assert [row.value for row in rows] == pytest.approx(
        [scipy.stats.pearsonr([1, 2, 3, 4], means)[0], scipy.stats.spearmanr([1, 2, 3, 4], means)[0], 0.0], abs=1e-12
    )


def test_coco_2015_has_one_row_a_criterion():
    systems = ["s", "t", "u"]
    targets = {"M1": [1, 2, 3], "M2": [3, 2, 1], "M3": [1, 3, 2], "M4": [2, 2, 2], "M5": [1, 2, 4]}
    table = JudgmentTable.build(
        items=systems,
        image=systems,
        system=systems,
        item=systems * 5,
        rater=["people"] * 15,
        value=[value for values in targets.values() for value in values],
        criterion=np.repeat(list(targets), 3),
    )

    rows = evaluate_protocol(get_protocol("coco-2015"), RatedItems.build(table, scores=[1, 2, 3]))

    assert [row.category for row in rows] == list(targets)
    assert rows[3].value is None
    defined = [row for row in rows if row.value is not None]
    assert [row.value for row in defined] == pytest.approx([1, -1, 0.5, 3 / (2 * 14 / 3) ** 0.5])
    assert rows[3].reason == "the judgment is 2 in all 3 observations"
    # Three systems are too few for a test.
    assert [row.p_value for row in rows] == [None] * 5


@pytest.mark.parametrize("n_systems", [9, 10, 30])
def test_coco_2015_has_p_values_from_ten_systems(n_systems):
    systems = [f"system-{number}" for number in range(n_systems)]
    targets = np.random.default_rng(3).normal(size=n_systems)
    table = JudgmentTable.build(
        items=systems, image=systems, system=systems, item=systems, rater=["people"] * n_systems, value=targets,
        criterion=["M1"] * n_systems,
    )  # fmt: skip

    (row,) = evaluate_protocol(
        get_protocol("coco-2015", criteria=("M1",)), RatedItems.build(table, scores=np.arange(n_systems))
    )

    oracle = scipy.stats.pearsonr(np.arange(n_systems), targets).pvalue
    assert row.p_value == (None if n_systems < 10 else pytest.approx(oracle, abs=1e-7))


def test_categories_of_ratings_have_a_row_each():
    table = dataclasses.replace(RATINGS, category=np.array(["x", "x", "x", "y"]))
    scores = [1, 2, 3, 4]

    def evaluate(*categories):
        protocol = get_protocol(
            "custom", rows="all", references="all", ratings="mean", measures="item:pearson", categories=categories
        )
        return evaluate_protocol(protocol, RatedItems.build(table, scores=scores))

    # Means of x are 1.5, 3 and 3 for the scores 1, 2 and 3: r = 1.5 / sqrt(2 * 1.5). y has one item.
    x, y, mean = evaluate("x", "y")
    assert (x.category, x.n, y.category, y.n, mean.category, mean.n) == ("x", 3, "y", 1, "mean", 4)
    assert x.value == pytest.approx(1.5 / 3**0.5)
    assert (y.value, mean.value, mean.reason) == (None, None, "undefined in y")
    only, mean = evaluate("x")
    assert (mean.value, mean.low) == (only.value, None)
    whole = evaluate("x", "y", "total")[2]
    assert whole.value == pytest.approx(scipy.stats.pearsonr(scores, [1.5, 3, 3, 2])[0])


def test_missing_scores_are_counted_by_judgment_or_by_item():
    data = RatedItems.build(RATINGS, scores=[1, nan, 3, 4])

    each, mean = (
        evaluate_protocol(
            get_protocol("custom", rows="all", references="all", ratings=ratings, measures="item:pearson"), data
        )[0]
        for ratings in ("each", "mean")
    )

    assert (each.n, each.n_missing) == (6, 2)
    assert (mean.n, mean.n_missing) == (3, 1)


def test_draws_are_averaged():
    protocol = get_protocol("custom", rows="all", references="draw", ratings="mean", measures="item:pearson")
    single = [
        evaluate_protocol(protocol, RatedItems.build(RATINGS, scores=scores))[0].value
        for scores in ([1, 2, 3, 4], [4, 1, 1, 2])
    ]

    both = evaluate_protocol(protocol, RatedItems.build(RATINGS, scores=[[1, 2, 3, 4], [4, 1, 1, 2]]))[0]

    assert both.value == pytest.approx(np.mean(single), abs=1e-15)


# Pair p: votes + + - (first), pair q: - (second), pair r: + - (no majority), pair z: no vote.
VOTES = JudgmentTable.build(
    items=["p", "q", "r", "z"],
    image=["1", "2", "3", "4"],
    category=["HC", "HC", "MM", "MM"],
    item=["p", "p", "p", "q", "r", "r"],
    rater=["ann", "bob", "cem", "ann", "ann", "bob"],
    value=[1, 1, -1, -1, 1, -1],
)


def test_pairs_without_a_majority_or_a_score_are_missing():
    pairs = JudgedPairs.build(VOTES, scores=[[2, 1], [2, nan], [2, 1], [2, 1]])

    rows = evaluate_protocol(get_protocol("pascal-50s", categories=("HC", "MM")), pairs)

    assert [(row.category, row.n, row.n_missing) for row in rows] == [("HC", 1, 1), ("MM", 0, 2), ("mean", 1, 3)]
    assert rows[0].value == 1
    assert rows[2].value is None
    assert rows[1].reason == "no pair of category MM has scores and a choice"
    assert rows[2].reason == "undefined in MM"


def test_accuracy_of_pairs_is_averaged_over_draws_of_references():
    pairs = JudgedPairs.build(VOTES, scores=[[[2, 1], [1, 2], [0, 0], [0, 0]], [[1, 2], [1, 2], [0, 0], [0, 0]]])
    protocol = get_protocol(
        "custom", rows="all", references="draw", ratings="majority", measures="pair:accuracy", ties="wrong"
    )

    rows = evaluate_protocol(protocol, pairs)

    assert [(row.category, row.value, row.n, row.n_missing) for row in rows] == [(None, 0.75, 2, 2)]


# Mean votes 1/3, -1, 0; differences 1, -1, 0.
def test_mean_votes_correlate_with_score_differences():
    pairs = JudgedPairs.build(VOTES, scores=[[2, 1], [1, 2], [1, 1], [1, 1]])

    row = evaluate_protocol(get_protocol("spice-u-pascal", categories=(), measures="pair:pearson"), pairs)[0]

    assert row.value == pytest.approx(scipy.stats.pearsonr([1, -1, 0], [1 / 3, -1, 0])[0], abs=1e-12)
    assert (row.n, row.n_missing) == (3, 1)


@pytest.mark.parametrize(
    ("protocol", "data", "message"),
    [
        ("pascal-50s", RatedItems.build(RATINGS, scores=[1] * 4), "pascal-50s@1 needs JudgedPairs, got RatedItems"),
        ("diversity", JudgedPairs.build(VOTES, scores=[[1, 2]] * 4), "diversity@1 needs RatedItems, got JudgedPairs"),
        ("flickr8k-expert", RatedItems.build(RATINGS, scores=[1] * 4), "drops rows by `in_references`, got None"),
        ("flickr8k-cf", RatedItems.build(RATINGS, scores=[1] * 4), "a share of yes needs judgments 0 and 1, got 2"),
        ("coco-2015", RatedItems.build(RATINGS, scores=[1] * 4), "needs the column `criterion`, got None"),
    ],
)
def test_refuses_data_that_do_not_fit(protocol, data, message):
    with pytest.raises(CorrelationInputError, match=message):
        evaluate_protocol(get_protocol(protocol), data)


# Votes of four: HC is right, HI ties in the metric, HM is wrong, of the MM one is right and one has no majority.
def test_fense_counts_all_pairs_together():
    sums = {"p": ("HC", (1, 1, 1, -1)), "q": ("HI", (1, 1, 1, 1)), "r": ("HM", (-1, -1, -1, 0)), "s": ("MM", (-1,) * 4)}
    sums["t"] = ("MM", (1, 1, -1, -1))
    votes = JudgmentTable.build(
        items=list(sums),
        image=list(sums),
        category=[category for category, _ in sums.values()],
        item=np.repeat(list(sums), 4),
        rater=["v", "w", "x", "y"] * 5,
        value=[vote for _, given in sums.values() for vote in given],
    )
    pairs = JudgedPairs.build(votes, scores=[[2, 1], [1, 1], [2, 1], [1, 2], [2, 1]])

    rows = evaluate_protocol(get_protocol("fense"), pairs)

    assert [(row.category, row.value, row.n, row.n_missing) for row in rows] == [
        ("HC", 1.0, 1, 0),
        ("HI", 0.0, 1, 0),
        ("HM", 0.0, 1, 0),
        ("MM", 1.0, 1, 1),
        ("total", 0.5, 4, 1),
    ]

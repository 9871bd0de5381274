import numpy as np
import pytest

from correlation.comparison.accuracy import compare_accuracies
from correlation.comparison.compare import ComparisonRequest, compare_metrics
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from correlation.protocols.row import ResultMeasure
from correlation.protocols.units import warn_of_few
from correlation.reports.differences import compare_at, compare_measures, find_too_few
from correlation.reports.values import ReportDesign
from correlation.tables import JudgmentTable

RNG = np.random.default_rng(4)
REQUEST = ComparisonRequest("perm-both", n_resamples=40)
# The third pair has a vote for either side: people are of two minds, and no metric can be right.
VOTES = JudgmentTable.build(
    items=list("pqrs"),
    image=["1", "1", "2", "2"],
    category=["HC", "HC", "HC", "MM"],
    item=list("pqrrs"),
    rater=list("xxxyx"),
    value=[1, -1, 1, -1, 1],
)
PAIRS = {
    "right": JudgedPairs.build(VOTES, scores=[[1, 0], [0, 1], [1, 0], [1, 0]]),
    "tied": JudgedPairs.build(VOTES, scores=np.zeros((4, 2))),
}
PASCAL = get_protocol("pascal-50s", categories=("HC", "MM"), ties="half")


def compare(protocol, data, measure, request=REQUEST):
    return compare_at(protocol, data, measure, request, seed=2)


@pytest.mark.parametrize(
    ("category", "credits_by_metric", "categories"),
    [
        ("HC", {"right": [1, 1], "tied": [0.5, 0.5]}, None),
        ("MM", {"right": [1], "tied": [0.5]}, None),
        ("mean", {"right": [1, 1, 1], "tied": [0.5, 0.5, 0.5]}, ["HC", "HC", "MM"]),
        ("total", {"right": [1, 1, 1], "tied": [0.5, 0.5, 0.5]}, None),
    ],
)
def test_accuracies_are_compared_on_the_pairs_of_the_category(category, credits_by_metric, categories):
    protocol = PASCAL.with_options(categories=("HC", "MM", "total")) if category == "total" else PASCAL

    table = compare(protocol, PAIRS, ResultMeasure("pair", "accuracy", category))

    rng = np.random.default_rng(2)
    assert table == compare_accuracies(credits_by_metric, categories=categories, request=REQUEST, rng=rng)
    assert table.n_missing == 0


def test_votes_are_correlated_with_the_difference_of_the_scores():
    scores = {name: RNG.normal(size=(4, 2)) for name in ("a", "b")}
    data = {name: JudgedPairs.build(VOTES, scores=own) for name, own in scores.items()}

    table = compare(get_protocol("spice-u-pascal"), data, ResultMeasure("pair", "pearson"))

    expected = compare_metrics(
        {name: own[:, 0] - own[:, 1] for name, own in scores.items()},
        [1, -1, 0, 1],
        level="item",
        coefficient="pearson",
        request=REQUEST,
        rng=np.random.default_rng(2),
    )
    assert table == expected


def test_ratings_of_a_criterion_are_compared_on_its_judgments():
    judgments = JudgmentTable.build(
        items=np.arange(6),
        image=np.arange(6) // 2,
        system=np.arange(6) % 2,
        item=np.tile(np.arange(6), 2),
        rater=["x"] * 12,
        value=RNG.normal(size=12),
        criterion=["M1"] * 6 + ["M2"] * 6,
    )
    scores = {name: RNG.normal(size=6) for name in ("a", "b")}
    data = {name: RatedItems.build(judgments, scores=own) for name, own in scores.items()}
    protocol = get_protocol("coco-2015", measures="item:pearson", criteria=("M1", "M2"))

    table = compare(protocol, data, ResultMeasure("item", "pearson", "M2"))

    assert dict(zip(table.metrics, table.values, strict=True)) == pytest.approx(
        {name: np.corrcoef(own, judgments.value[6:])[0, 1] for name, own in scores.items()}
    )
    assert table.n == 6


@pytest.mark.parametrize(
    ("request_", "n_pairs", "is_too_few"),
    [
        (ComparisonRequest(n_resamples=899), 45, True),
        (ComparisonRequest(n_resamples=900), 45, False),
        (ComparisonRequest(n_resamples=19, correction="bh"), 45, True),
        (ComparisonRequest(n_resamples=20, correction="none"), 45, False),
        (ComparisonRequest("williams", n_resamples=1), 45, False),
    ],
)
def test_too_few_resamples_are_those_that_leave_no_p_below_alpha(request_, n_pairs, is_too_few):
    assert bool(find_too_few(request_, n_pairs)) == is_too_few


def make_rated(n_images, *, missing=0):
    """Two metrics on two captions of each image, in the first `missing` of which the second metric has no score."""
    n = 2 * n_images
    table = JudgmentTable.build(
        items=np.arange(n),
        image=np.arange(n) // 2,
        system=np.arange(n) % 2,
        item=np.arange(n),
        rater=["x"] * n,
        value=np.arange(n),
    )
    scores = {"up": np.arange(n, dtype=float), "down": -np.arange(n, dtype=float)}
    scores["down"][: 2 * missing] = np.nan
    return {name: RatedItems.build(table, scores=own) for name, own in scores.items()}


def compare_all(data, *, measures="item:pearson", test="perm-input"):
    protocol = get_protocol("custom", rows="all", references="all", ratings="each", measures=measures)
    design = ReportDesign(None, (), test, "holm", 0.05, 40, 1)
    measured = [ResultMeasure(each.level, each.coefficient) for each in protocol.measures]
    few = {(name, each) for name, one in data.items() for each in measured if warn_of_few(protocol, [one], each)}
    notes = []
    return *compare_measures(protocol, data, measured, design, notes, cautioned=few), notes


@pytest.mark.parametrize("test", ["perm-input", "perm-both", "williams"])
def test_fewer_than_ten_images_are_never_tested(test):
    assert compare_all(make_rated(9), test=test) == ((), {}, [])
    assert len(compare_all(make_rated(10), test=test)[0]) == 1


def test_systems_are_the_units_at_system_level():
    differences, letters, _ = compare_all(make_rated(20), measures=("item:pearson", "system:pearson"))

    assert [(found.level, found.n) for found in differences] == [("item", 40)]
    assert {measure.level for _, measure in letters} == {"item"}


def test_too_few_images_with_scores_of_all_metrics_are_said():
    differences, _, notes = compare_all(make_rated(12, missing=2))
    assert (len(differences), notes) == (1, [])

    data = make_rated(12, missing=2)
    holes = data["up"].scores[0].copy()
    holes[-2:] = np.nan
    differences, _, notes = compare_all(data | {"up": data["up"].with_scores(holes)})

    assert differences == ()
    assert notes[0].startswith("pearson at level item, with scores of all metrics: only 9 images, fewer than 10")

import numpy as np
import pytest

from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from correlation.protocols.row import ResultMeasure
from correlation.reports.ceilings import measure_ceilings
from correlation.reports.values import ReportDesign
from correlation.tables import JudgmentTable

# Two raters on four items; their tau-a is (4 - 2) / 6: of the six pairs four are concordant and two discordant.
FIRST, SECOND = [1, 2, 3, 4], [2, 1, 4, 3]
TABLE = JudgmentTable.build(
    items=np.arange(4),
    image=np.arange(4),
    item=np.tile(np.arange(4), 2),
    rater=["x"] * 4 + ["y"] * 4,
    value=[*FIRST, *SECOND],
)
DATA = RatedItems.build(TABLE, scores=np.arange(4))
PROTOCOL = get_protocol("custom", rows="all", references="all", ratings="each", measures="item:kendall-a")
MEASURES = (ResultMeasure("item", "kendall-a"), ResultMeasure("item", "pearson"))


def measure(*wanted, data=DATA, clusters=("images",), method="percentile"):
    notes = []
    design = ReportDesign(method, clusters, None, "holm", 0.05, 20, 1)
    return measure_ceilings(PROTOCOL, data, MEASURES, wanted, design, notes), notes


def test_a_ceiling_is_measured_at_every_measure():
    ceilings, notes = measure("mean-pairwise")

    assert [(c.method, c.level, c.coefficient, c.n, c.n_parts) for c in ceilings] == [
        ("mean-pairwise", "item", "kendall-a", 4, 1),
        ("mean-pairwise", "item", "pearson", 4, 1),
    ]
    assert ceilings[0].value == pytest.approx(1 / 3)
    assert notes == []


def test_a_coefficient_of_its_own_is_measured_once():
    ceilings, _ = measure("mean-pairwise:spearman")

    assert [(c.coefficient, c.value) for c in ceilings] == [("spearman", pytest.approx(0.6))]


@pytest.mark.parametrize(
    ("clusters", "method", "has_interval"),
    [(("images",), "percentile", True), (("images", "raters"), "percentile", True), (("raters",), "percentile", False)],
)
def test_raters_are_not_resampled(clusters, method, has_interval):
    ceilings, _ = measure("mean-pairwise", clusters=clusters, method=method)

    assert (ceilings[0].low is not None) == has_interval


def test_one_rater_has_no_ceiling_and_it_is_said():
    alone = RatedItems.build(TABLE.keep(TABLE.rater == "x"), scores=np.arange(4))

    ceilings, notes = measure("mean-pairwise:kendall-a", data=alone)

    assert [c.value for c in ceilings] == [None]
    assert notes == [
        "no human ceiling: no caption was judged by two raters; plan at least three raters per caption to obtain one"
    ]


def test_missing_ceilings_of_several_coefficients_are_said_once():
    alone = RatedItems.build(TABLE.keep(TABLE.rater == "x"), scores=np.arange(4))

    _, notes = measure("mean-pairwise:kendall-a", "mean-pairwise:spearman", data=alone)

    assert len(notes) == 1


def measure_pairs(n_votes):
    pairs = np.repeat(["p", "q"], n_votes)
    votes = JudgmentTable.build(
        items=["p", "q"], image=["1", "2"], item=pairs, rater=list("xyz")[:n_votes] * 2, value=np.ones(len(pairs))
    )
    notes = []
    design = ReportDesign("percentile", ("images", "raters"), None, "holm", 0.05, 20, 1)
    protocol = get_protocol(
        "custom",
        rows="all",
        references="all",
        ratings="majority",
        measures=["pair:accuracy", "pair:pearson"],
        ties="half",
    )
    measures = (ResultMeasure("pair", "accuracy"), ResultMeasure("pair", "pearson"))
    data = JudgedPairs.build(votes, scores=[[1, 0], [1, 0]])
    return measure_ceilings(protocol, data, measures, ["mean-pairwise"], design, notes), notes


def test_pairs_have_one_in_accuracy():
    (ceiling,), notes = measure_pairs(3)

    assert (ceiling.method, ceiling.coefficient, ceiling.value, ceiling.n, ceiling.n_parts) == (
        *("leave-one-vote-out", "accuracy", 1.0, 2, 6),
    )
    assert (ceiling.low, ceiling.high, notes) == (1.0, 1.0, [])


def test_single_votes_have_none_and_it_is_said():
    (ceiling,), notes = measure_pairs(1)

    assert ceiling.value is None
    assert notes == [
        "no human ceiling: no pair has several votes to compare; plan at least three raters per pair to obtain one"
    ]


def test_without_requested_ceilings_none_is_measured():
    assert measure() == ((), [])

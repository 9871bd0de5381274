from math import isnan

import numpy as np
import pytest

from correlation.correlate import correlate
from correlation.errors import CorrelationInputError
from correlation.protocols.multiverse import build_multiverse
from correlation.protocols.recipe import Measure
from correlation.tables import JudgmentTable

RNG = np.random.default_rng(6)
N = 30
TABLE = RNG.integers(1, 5, size=(N, 3)).astype(float)
JUDGMENTS = JudgmentTable.build(
    items=np.arange(N),
    image=np.arange(N) // 5,
    item=np.arange(N).repeat(3),
    rater=np.tile([0, 1, 2], N),
    value=TABLE.reshape(-1),
)
MEANS = TABLE.mean(axis=1)
SCORES = {"best": MEANS, "same": MEANS + 1, "worst": -MEANS, "constant": np.ones(N)}
MEASURES = ["item:pearson", Measure("group", "kendall-b")]


def test_every_combination_is_a_universe_with_values_and_ranks():
    multiverse = build_multiverse(SCORES, JUDGMENTS, aggregations=["each", "mean", "median"], measures=MEASURES)

    assert [(u.aggregation, u.level, u.coefficient) for u in multiverse.universes] == [
        (rule, level, coefficient)
        for rule in ("each", "mean", "median")
        for level, coefficient in (("item", "pearson"), ("group", "kendall-b"))
    ]
    median = multiverse.universes[4]
    expected = correlate(MEANS, np.median(TABLE, axis=1), level="item", coefficient="pearson").value
    assert median.values[0] == pytest.approx(expected, abs=1e-12)
    each = multiverse.universes[0]
    assert each.values[0] == correlate(MEANS.repeat(3), TABLE.reshape(-1), level="item", coefficient="pearson").value


def test_ties_share_the_better_rank_and_none_of_them_wins():
    multiverse = build_multiverse(SCORES, JUDGMENTS, aggregations=["mean"], measures=["item:kendall-b"])

    assert multiverse.universes[0].ranks == (1, 1, 3, None)
    assert isnan(multiverse.universes[0].values[3])
    assert multiverse.wins == (0.0, 0.0, 0.0, 0.0)


def test_values_that_differ_by_rounding_are_a_tie():
    scores = {"best": MEANS, "tripled": 3 * MEANS + 0.1}
    multiverse = build_multiverse(scores, JUDGMENTS, aggregations=["mean"], measures=["item:pearson"])

    assert multiverse.universes[0].ranks == (1, 1)
    assert multiverse.wins == (0.0, 0.0)


def test_wins_over_three_systems_are_those_without_a_tie():
    # Three systems have four values of Kendall's tau: both metrics order them as people do.
    table = JudgmentTable.build(
        items=["a", "b", "c"],
        image=["1"] * 3,
        system=["x", "y", "z"],
        item=["a", "b", "c"],
        rater=["r"] * 3,
        value=[1, 2, 4],
    )
    multiverse = build_multiverse(
        {"linear": [1, 2, 4], "curved": [1, 3, 4]},
        table,
        aggregations=["each"],
        measures=["system:kendall-b", "system:pearson"],
    )

    assert [universe.ranks for universe in multiverse.universes] == [(1, 1), (1, 2)]
    assert dict(zip(multiverse.metrics, multiverse.wins, strict=True)) == {"linear": 0.5, "curved": 0.0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": []}, "`scores`, `aggregations` and `measures` must each name at least one"),
        ({"scores": {"a": [1, 2]}}, r"`scores\['a'\]` must have one entry per item \(30\), got 2"),
    ],
)
def test_refuses(change, message):
    arguments = {"scores": SCORES, "judgments": JUDGMENTS, "aggregations": ["mean"], "measures": MEASURES, **change}

    with pytest.raises(CorrelationInputError, match=message):
        build_multiverse(arguments.pop("scores"), arguments.pop("judgments"), **arguments)

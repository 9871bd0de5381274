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


def test_ties_share_the_better_rank_and_each_wins():
    multiverse = build_multiverse(SCORES, JUDGMENTS, aggregations=["mean"], measures=["item:kendall-b"])

    assert multiverse.universes[0].ranks == (1, 1, 3, None)
    assert isnan(multiverse.universes[0].values[3])
    assert multiverse.wins == (1.0, 1.0, 0.0, 0.0)


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

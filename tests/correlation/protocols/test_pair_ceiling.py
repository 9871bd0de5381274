"""Tests of the agreement of one vote with the other votes of its pair."""

from math import isnan

import numpy as np
import pytest

from correlation.protocols.named import get_protocol
from correlation.protocols.pair_ceiling import measure_pair_ceiling
from correlation.resampling.intervals import IntervalRequest
from correlation.tables import JudgmentTable

FENSE = get_protocol("fense", categories=("HC", "MM", "total"))
MEAN = FENSE.with_options(categories=("HC", "MM"))

# p: the others of each of three votes are 2 against 1 on its side; the odd vote stands against three.
# q: the others of each vote are 2 against 1 on the other side.
# r: +1 +1 0: both agree, the 0 is no vote for a side.
# s: one vote, t: one for each, whose others are one vote of the other side.
GIVEN = {
    "p": ("HC", (1, 1, 1, -1), 3 / 4),
    "q": ("HC", (1, 1, -1, -1), 0),
    "r": ("MM", (1, 1, 0), 1),
    "s": ("MM", (1,), None),
    "t": ("MM", (1, -1), 0),
}


def build(names="pqrst"):
    rows = [(name, place, vote) for name in names for place, vote in enumerate(GIVEN[name][1])]
    item, rater, value = zip(*rows, strict=True)
    return JudgmentTable.build(
        items=list(names),
        image=list(names),
        category=[GIVEN[name][0] for name in names],
        item=item,
        rater=np.array(rater).astype(str),
        value=value,
    )


@pytest.mark.parametrize(
    ("protocol", "category", "expected", "n", "n_votes"),
    [
        (FENSE, "HC", (3 + 0) / 8, 2, 8),
        (FENSE, "MM", (2 + 0) / 4, 2, 4),
        (FENSE, "total", (3 + 0 + 2 + 0) / 12, 4, 12),
        (MEAN, "mean", (3 / 8 + 2 / 4) / 2, 4, 12),
    ],
)
def test_by_hand(protocol, category, expected, n, n_votes):
    found = measure_pair_ceiling(protocol, build(), category=category)

    assert (found.value, found.n, found.n_votes, found.low) == (expected, n, n_votes, None)


def test_single_votes_have_none():
    found = measure_pair_ceiling(FENSE, build("s"), category="MM")

    assert isnan(found.value)
    assert (found.n, found.n_votes) == (0, 0)
    assert found.reason == "no pair has several votes to compare; plan at least three raters per pair to obtain one"


def test_the_interval_resamples_images():
    request = IntervalRequest("percentile", ("images",), n_resamples=200)

    found = measure_pair_ceiling(FENSE, build(), category="total", interval=request, rng=np.random.default_rng(1))

    assert 0 <= found.low < found.value < found.high <= 1


def test_voters_of_known_reliability():
    rng = np.random.default_rng(2)
    p, n = 0.8, 4000
    votes = np.where(rng.random((n, 3)) < p, 1, -1)
    items = np.arange(n).astype(str)
    table = JudgmentTable.build(
        items=items, image=items, item=np.repeat(items, 3), rater=list("xyz") * n, value=votes.reshape(-1)
    )
    custom = get_protocol(
        "custom", rows="all", references="all", ratings="majority", measures="pair:accuracy", ties="half"
    )

    found = measure_pair_ceiling(custom, table)

    # Of two others who agree, both are right (p squared) or both are wrong; then the third agrees with p, or 1 - p.
    compared = p**2 + (1 - p) ** 2
    agreeing = (p**3 + (1 - p) ** 3) / compared
    assert found.value == pytest.approx(agreeing, abs=4 * (agreeing * (1 - agreeing) / (n * compared)) ** 0.5)

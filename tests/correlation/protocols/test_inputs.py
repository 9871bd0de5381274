import pytest

from correlation.errors import CorrelationInputError
from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from correlation.tables import JudgmentTable

TABLE = JudgmentTable.build(
    items=["a", "b", "c"], image=["1", "1", "2"], item=["a", "b"], rater=["ann", "ann"], value=[1, -1]
)


@pytest.mark.parametrize(("scores", "shape"), [([1, 2, 3], (1, 3)), ([[1, 2, 3], [4, 5, 6]], (2, 3))])
def test_scores_of_items_may_have_several_draws(scores, shape):
    assert RatedItems.build(TABLE, scores=scores).scores.shape == shape


@pytest.mark.parametrize(("scores", "shape"), [([[1, 2]] * 3, (1, 3, 2)), ([[[1, 2]] * 3] * 4, (4, 3, 2))])
def test_scores_of_pairs_may_have_several_draws(scores, shape):
    assert JudgedPairs.build(TABLE, scores=scores).scores.shape == shape


def test_another_metric_takes_the_place_of_the_scores():
    items = RatedItems.build(TABLE, scores=[1, 2, 3])

    assert items.with_scores([3, 2, 1]).scores.tolist() == [[3, 2, 1]]
    assert items.with_scores([3, 2, 1]).judgments is TABLE


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: RatedItems.build(TABLE, scores=[1, 2]),
            r"must have shape \(3,\) or \(n_draws, \*\(3,\)\), got \(2,\)",
        ),
        (lambda: JudgedPairs.build(TABLE, scores=[1, 2, 3]), r"`scores` must have 3 dimension\(s\), got shape \(3,\)"),
        (
            lambda: RatedItems.build(TABLE, scores=[1, 2, 3], in_references=[True]),
            "`in_references` must have one entry",
        ),
        (lambda: RatedItems.build(TABLE, scores=[1, 2, 3], in_references=[0, 1, 0]), "array of booleans, got int64"),
    ],
)
def test_refuses(build, message):
    with pytest.raises(CorrelationInputError, match=message):
        build()


def test_a_vote_is_for_the_first_the_second_or_neither():
    table = JudgmentTable.build(items=["a"], image=["1"], item=["a"], rater=["ann"], value=[2])

    with pytest.raises(CorrelationInputError, match=r"a vote is \+1, -1 or 0, got 2 at index 0 \(pair 'a'\)"):
        JudgedPairs.build(table, scores=[[1, 2]])


def test_no_preference_is_a_vote_of_zero():
    # Two raters prefer the first caption and one neither: the mean vote is 2/3, the majority is the first.
    table = JudgmentTable.build(
        items=["a", "b"], image=["1", "2"], item=["a", "a", "a", "b"], rater=["x", "y", "z", "x"], value=[1, 1, 0, 0]
    )
    pairs = JudgedPairs.build(table, scores=[[2, 1], [2, 1]])
    protocol = get_protocol(
        "custom", rows="all", references="all", ratings="majority", measures="pair:accuracy", ties="half"
    )

    (row,) = evaluate_protocol(protocol, pairs)

    # Pair "b" has no preferred caption to agree with: it is missing, not wrong.
    assert (row.value, row.n, row.n_missing) == (1.0, 1, 1)

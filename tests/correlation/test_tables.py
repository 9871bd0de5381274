import dataclasses

import numpy as np
import pytest

from correlation.errors import CorrelationInputError
from correlation.tables import JudgmentTable, ScoreTable

COLUMNS = {
    "items": ["a", "b"],
    "image": ["1", "1"],
    "item": ["b", "a", "b"],
    "rater": ["ann", "ann", "bob"],
    "value": [4, 1, 3],
}


def test_score_table_counts_missing_scores():
    table = ScoreTable.build([[0.5, np.nan], [0.25, 1.0]], systems=["s", "t"], items=[7, 8])

    assert table.n_missing == 1
    assert table.items.tolist() == ["7", "8"]


def test_score_table_aligns_by_key():
    table = ScoreTable.build([[1, 2], [3, 4]], systems=["s", "t"], items=["a", "b"])

    aligned = table.align(systems=np.array(["t", "s"]), items=np.array(["b", "a"]))

    assert aligned.values.tolist() == [[4, 3], [2, 1]]


def test_score_table_cannot_be_changed():
    values = np.ones((1, 1))
    table = ScoreTable.build(values, systems=["s"], items=["a"])
    values[0, 0] = 2

    assert table.values.tolist() == [[1.0]]
    with pytest.raises(ValueError, match="read-only"):
        table.values[0, 0] = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.values = values


@pytest.mark.parametrize(
    ("values", "systems", "items", "message"),
    [
        ([[1, 2]], ["s", "t"], ["a", "b"], r"must have shape \(n_systems, n_items\) = \(2, 2\), got \(1, 2\)"),
        ([1, 2], ["s"], ["a", "b"], r"`values` must have 2 dimension\(s\), got shape \(2,\)"),
        ([[1, 2]], ["s"], ["a", "a"], "`items` must be unique, got 'a' twice"),
        ([[1, np.inf]], ["s"], ["a", "b"], r"`values` must be finite or NaN, got inf at index \(0, 1\)"),
        ([["x", 1]], ["s"], ["a", "b"], "`values` must hold numbers"),
        ([[1]], [["s"]], ["a"], r"`systems` must have 1 dimension, got shape \(1, 1\)"),
    ],
)
def test_score_table_refuses(values, systems, items, message):
    with pytest.raises(CorrelationInputError, match=message):
        ScoreTable.build(values, systems=systems, items=items)


def test_score_table_names_a_key_the_other_table_lacks():
    table = ScoreTable.build([[1.0]], systems=["s"], items=["a"])

    with pytest.raises(CorrelationInputError, match="`items` at index 0 is 'z', not in `items of the other table`"):
        table.align(systems=np.array(["s"]), items=np.array(["z"]))


def test_judgment_table_points_each_judgment_to_its_item():
    table = JudgmentTable.build(**COLUMNS)

    assert table.item.tolist() == [1, 0, 1]
    assert table.judgments_per_item.tolist() == [1, 2]
    assert table.system is None


def test_judgment_table_lets_a_rater_answer_several_criteria():
    table = JudgmentTable.build(
        items=["a"], image=["1"], item=["a", "a"], rater=["ann", "ann"], value=[1, 2], criterion=["M1", "M2"]
    )

    assert table.criterion.tolist() == ["M1", "M2"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"item": ["b", "a", "c"]}, "`item` at index 2 is 'c', not in `items`"),
        ({"value": [4, 1]}, r"`item` must have one entry per value \(2\), got 3"),
        ({"value": [4, np.nan, 3]}, "`value` is NaN at index 1: leave out judgments that were not given"),
        ({"rater": ["ann", "ann", "ann"]}, r"rater 'ann' judged item 'b' twice \(again at index 2\)"),
        ({"image": ["1"]}, r"`image` must have one entry per item \(2\), got 1"),
        ({"category": ["HC"]}, r"`category` must have one entry per item \(2\), got 1"),
        ({"items": [], "image": []}, "`item` names 'b', but `items` is empty"),
    ],
)
def test_judgment_table_refuses(change, message):
    with pytest.raises(CorrelationInputError, match=message):
        JudgmentTable.build(**{**COLUMNS, **change})


def test_judgments_can_be_left_out_while_items_stay():
    table = JudgmentTable.build(**COLUMNS)

    kept = table.keep(np.array([True, False, True]))

    assert (kept.rater.tolist(), kept.judgments_per_item.tolist()) == (["ann", "bob"], [0, 2])
    with pytest.raises(CorrelationInputError, match=r"`used` must have one entry per judgment \(3\), got 1"):
        table.keep(np.array([True]))


def test_items_are_left_out_with_their_judgments():
    table = JudgmentTable.build(
        items=["a", "b", "c"],
        image=["1", "2", "3"],
        system=["s", "t", "s"],
        category=["HC", "HM", "HC"],
        item=["c", "a", "b", "c"],
        rater=["ann", "ann", "ann", "bob"],
        value=[4, 1, 3, 2],
        criterion=["M1", "M1", "M1", "M2"],
    )

    kept = table.keep_items(table.system == "s")

    expected = JudgmentTable.build(
        items=["a", "c"],
        image=["1", "3"],
        system=["s", "s"],
        category=["HC", "HC"],
        item=["c", "a", "c"],
        rater=["ann", "ann", "bob"],
        value=[4, 1, 2],
        criterion=["M1", "M1", "M2"],
    )
    for column in dataclasses.fields(JudgmentTable):
        assert getattr(kept, column.name).tolist() == getattr(expected, column.name).tolist()
    with pytest.raises(CorrelationInputError, match=r"`kept` must have one entry per item \(3\), got 1"):
        table.keep_items(np.array([True]))


def test_items_without_systems_are_left_out_too():
    kept = JudgmentTable.build(**COLUMNS).keep_items(np.array([False, True]))

    assert (kept.system, kept.category, kept.criterion) == (None, None, None)
    assert (kept.items.tolist(), kept.item.tolist(), kept.value.tolist()) == (["b"], [0, 0], [4, 3])


def test_keys_are_numbered_in_their_order():
    table = JudgmentTable.build(**{**COLUMNS, "image": ["z", "y"], "system": ["t", "s"]})

    numbered = table.number_keys()

    assert (numbered.image.tolist(), numbered.system.tolist(), numbered.rater.tolist()) == ([1, 0], [1, 0], [0, 0, 1])
    assert (numbered.items.tolist(), numbered.value.tolist()) == (["a", "b"], [4, 1, 3])
    assert JudgmentTable.build(**COLUMNS).number_keys().system is None

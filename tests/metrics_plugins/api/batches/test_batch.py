"""Tests of batches: which inputs they give to whom, and that features are computed once."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch, Input
from metrics_plugins.api.errors import MissingInput, UndeclaredInput
from tests.metrics_plugins.api.examples import make_info


@pytest.fixture
def batch() -> Batch:
    return Batch.make(
        ["x", "y", "z"],
        candidates=["a cat", "a dog", "a cat"],
        references=[["the cat", "a cat"], [], ["one dog"]],
        caption_sets=[["a cat", "a cow"], ["a dog"], []],
    )


def test_columns_come_back_as_they_were_given(batch: Batch) -> None:
    assert batch.keys == ("x", "y", "z")
    assert list(batch.candidates) == ["a cat", "a dog", "a cat"]
    assert list(batch.references) == [("the cat", "a cat"), (), ("one dog",)]
    assert list(batch.caption_sets) == [("a cat", "a cow"), ("a dog",), ()]
    assert batch.available_inputs == {Input.CANDIDATE, Input.REFERENCES, Input.CAPTION_SET}
    assert repr(batch) == "Batch(3 rows, columns: candidate, caption_set, references)"


def test_images_and_worlds_come_back_as_they_were_given() -> None:
    batch = Batch.make(["x"], images=[Path("x.png")], worlds=[{"shapes": 2}])

    assert batch.images == (Path("x.png"),)
    assert batch.worlds == ({"shapes": 2},)


def test_a_rows_image_is_known_by_the_key_given_or_else_by_the_rows_own(batch: Batch) -> None:
    keyed = Batch.make(["x", "y"], candidates=["a", "b"], image_keys=["p", "q"])
    view = keyed.restrict_to(frozenset({Input.IMAGE_KEY}), reader="someone")
    plain = batch.restrict_to(frozenset({Input.IMAGE_KEY}), reader="someone")

    assert (view.image_keys, view.select([1]).image_keys) == (("p", "q"), ("q",))
    assert pickle.loads(pickle.dumps(keyed)).image_keys == ("p", "q")  # noqa: S301 - our own bytes
    assert (plain.image_keys, plain.select([2]).image_keys) == (("x", "y", "z"), ("z",))


def test_image_keys_must_be_declared(batch: Batch) -> None:
    view = batch.restrict(make_info("words", inputs=frozenset({Input.CANDIDATE})))

    with pytest.raises(UndeclaredInput, match=r"reads image_key, which its info\.inputs does not declare"):
        _ = view.image_keys


def test_every_distinct_text_is_stored_once(batch: Batch) -> None:
    texts = batch.derive_texts("texts", tuple)

    assert texts == ("a cat", "a dog", "the cat", "one dog", "a cow")
    assert batch.candidate_rows.tolist() == [0, 1, 0]
    assert [row.tolist() for row in batch.reference_rows] == [[2, 0], [], [3]]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"candidates": ["a"]}, "column candidate has 1 rows, but there are 2 keys"),
        (
            {"references": ["ab", "c"]},
            "column references must hold a list of captions for each row, got 'ab'",
        ),
        ({"caption_sets": [["a"], "b"]}, "column caption_sets must hold .* got 'b' for row 1"),
        ({"candidates": ["a", None]}, "every caption must be text, got None"),
        ({"image_keys": ["a"]}, "column image_key has 1 rows, but there are 2 keys"),
        ({"image_keys": ["a", 7]}, "every image key must be text, got 7"),
    ],
)
def test_malformed_columns_are_refused(columns: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch.make(["x", "y"], **columns)


def test_keys_must_be_text() -> None:
    with pytest.raises(ValueError, match="every key must be text, got 7"):
        Batch.make(["x", 7])


@pytest.mark.parametrize("column", ["references", "reference_rows"])
def test_undeclared_column_is_refused(batch: Batch, column: str) -> None:
    view = batch.restrict(make_info("words", inputs=frozenset({Input.CANDIDATE})))

    with pytest.raises(UndeclaredInput) as raised:
        getattr(view, column)

    assert str(raised.value) == (
        "metric 'words' reads references, which its info.inputs does not declare (declared: candidate)"
    )
    assert view.available_inputs == {Input.CANDIDATE}


def test_view_cannot_be_widened(batch: Batch) -> None:
    view = batch.restrict(make_info("words", inputs=frozenset({Input.CANDIDATE})))

    with pytest.raises(UndeclaredInput, match="someone asks for references, but its batch is a view that only metric"):
        view.restrict_to(frozenset({Input.CANDIDATE, Input.REFERENCES}), reader="someone")


def test_declared_column_that_the_batch_lacks_is_named(batch: Batch) -> None:
    with pytest.raises(MissingInput) as raised:
        batch.restrict(make_info("seer", inputs=frozenset({Input.IMAGE, Input.CANDIDATE})))

    assert (
        str(raised.value) == "metric 'seer' needs image, but this batch holds only candidate, caption_set, references"
    )


def test_missing_column_is_named_on_reading(batch: Batch) -> None:
    with pytest.raises(MissingInput, match="the caller reads image, which this batch does not have"):
        _ = batch.images


def test_derived_features_are_computed_once_for_all_views(batch: Batch) -> None:
    calls = []

    def measure(texts: tuple[str, ...]) -> list[int]:
        calls.append(texts)
        return [len(text) for text in texts]

    first = batch.restrict(make_info("one", inputs=frozenset({Input.CANDIDATE})))
    second = batch.restrict(make_info("two", inputs=frozenset({Input.REFERENCES})))

    assert first.derive_texts("length", measure) is second.derive_texts("length", measure)
    assert len(calls) == 1


def test_derived_rows_and_texts_have_separate_names(batch: Batch) -> None:
    assert batch.derive("n", len) == 3
    assert batch.derive_texts("n", len) == 5
    assert batch.derive("n", lambda _: "not computed again") == 3


def test_derived_row_feature_sees_only_the_view(batch: Batch) -> None:
    view = batch.restrict(make_info("words", inputs=frozenset({Input.CANDIDATE})))

    with pytest.raises(UndeclaredInput):
        view.derive("references", lambda seen: seen.references)


def test_select_takes_rows_in_order_and_forgets_features(batch: Batch) -> None:
    batch.derive("n", len)

    chosen = batch.select([2, 0])

    assert chosen.keys == ("z", "x")
    assert list(chosen.candidates) == ["a cat", "a cat"]
    assert list(chosen.references) == [("one dog",), ("the cat", "a cat")]
    assert list(chosen.caption_sets) == [(), ("a cat", "a cow")]
    assert chosen.derive("n", len) == 2


def test_select_of_nothing_is_an_empty_batch(batch: Batch) -> None:
    assert len(batch.select([])) == 0


def test_select_keeps_the_restriction(batch: Batch) -> None:
    view = batch.restrict(make_info("words", inputs=frozenset({Input.CANDIDATE}))).select([0])

    with pytest.raises(UndeclaredInput):
        _ = view.references


def test_select_refuses_a_mask(batch: Batch) -> None:
    with pytest.raises(ValueError, match="rows must be row numbers, got a mask of bool"):
        batch.select(np.array([True, False, True]))


def test_pickled_view_arrives_restricted_and_without_features(batch: Batch) -> None:
    view = batch.restrict(make_info("words", inputs=frozenset({Input.CANDIDATE})))
    view.derive("unpicklable", lambda _: lambda: None)

    arrived = pickle.loads(pickle.dumps(view))  # noqa: S301 - our own bytes

    assert arrived.keys == batch.keys
    assert list(arrived.candidates) == list(batch.candidates)
    assert arrived.derive("unpicklable", len) == 3
    with pytest.raises(UndeclaredInput, match="metric 'words' reads references"):
        _ = arrived.references

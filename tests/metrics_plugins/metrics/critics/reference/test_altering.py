"""Tests of captions made wrong by small changes."""

from collections import Counter

import numpy as np
import pytest

from metrics_plugins.metrics.critics.reference.altering import Altering

FUNCTION_WORDS = frozenset({"a", "the", "on"})
ALTERING = Altering(FUNCTION_WORDS, ("cat", "tree"))


def alter_often(altering: Altering, caption: str) -> set[str]:
    rng = np.random.default_rng(0)
    return {altering.alter(caption, rng) for _ in range(200)}


def test_a_content_word_is_changed_or_two_change_places() -> None:
    found = alter_often(ALTERING, "A dog on the grass.")

    assert found == {
        "a cat on the grass",
        "a tree on the grass",
        "a dog on the cat",
        "a dog on the tree",
        "a grass on the dog",
    }


def test_a_number_becomes_another() -> None:
    found = alter_often(Altering(FUNCTION_WORDS | {"dogs"}, ()), "two dogs")

    assert found == {"one dogs", "three dogs", "four dogs", "five dogs", "six dogs"}


@pytest.mark.parametrize("caption", ["", "the", "A on the"])
def test_what_allows_no_change_is_returned_as_it_is(caption: str) -> None:
    assert alter_often(ALTERING, caption) == {caption}


def test_words_that_carry_little_are_learned_by_how_often_they_occur() -> None:
    frequent = [f"often{number}" for number in range(40)]
    captions = [*(" ".join(frequent) for _ in range(3)), "a Dog, a dog", "tree."]

    altering = Altering.learn(captions)

    assert altering.function_words == frozenset(frequent)
    assert Counter(altering.content_words) == {"a": 2, "dog": 2, "tree": 1}


def test_same_generator_gives_the_same_changes() -> None:
    first, second = (
        [ALTERING.alter("two dogs on the grass", np.random.default_rng(seed)) for seed in range(20)] for _ in range(2)
    )

    assert first == second
    assert len(set(first)) > 3

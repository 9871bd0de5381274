"""Tests of RC, WP and RW at every strength: what changes, what does not, and what depends on the draw."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metrics_plugins.api import MetricError
from metrics_plugins.text.distortions import (
    count_share,
    draw_permuted_words,
    draw_random_captions,
    draw_replaced_words,
    draw_training_count,
)

VOCABULARY = ("a", "dog", "cat", "runs", "sleeps", "the")
CAPTIONS = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=9).map(" ".join), min_size=2, max_size=8)
STRENGTHS = st.floats(0, 1)
SEEDS = st.integers(0, 2**32 - 1)


def draw_all(captions, seed):
    pools = [[f"{place} {caption}", f"{place} other"] for place, caption in enumerate(captions)]
    return {
        "rc": draw_random_captions(captions, pools=pools, rng=np.random.default_rng(seed)),
        "wp": draw_permuted_words(captions, rng=np.random.default_rng(seed)),
        "rw": draw_replaced_words(captions, vocabulary=VOCABULARY, rng=np.random.default_rng(seed)),
    }


@given(CAPTIONS, SEEDS)
def test_strength_0_changes_nothing(captions, seed):
    for drawn in draw_all(captions, seed).values():
        assert drawn.apply(0.0) == tuple(captions)


@given(CAPTIONS, SEEDS, STRENGTHS)
def test_one_seed_gives_the_same_captions(captions, seed, strength):
    first, second = draw_all(captions, seed), draw_all(captions, seed)

    assert {kind: drawn.apply(strength) for kind, drawn in first.items()} == {
        kind: drawn.apply(strength) for kind, drawn in second.items()
    }


@given(CAPTIONS, SEEDS)
def test_strength_1_gives_every_caption_another_images(captions, seed):
    replaced = draw_all(captions, seed)["rc"].apply(1.0)

    # A caption of the pools begins with the number of its image.
    assert all(int(text.split()[0]) != place for place, text in enumerate(replaced))


@given(CAPTIONS, SEEDS, STRENGTHS)
def test_random_captions_replace_their_share(captions, seed, strength):
    changed = draw_all(captions, seed)["rc"].apply(strength)

    # Captions of the pools are unlike any of the captions.
    n_changed = sum(before != after for before, after in zip(captions, changed, strict=True))
    assert n_changed == count_share(strength, len(captions))


@given(CAPTIONS, SEEDS, STRENGTHS)
def test_permuted_words_stay_the_same_words(captions, seed, strength):
    changed = draw_all(captions, seed)["wp"].apply(strength)

    assert [sorted(text.split()) for text in changed] == [sorted(text.split()) for text in captions]
    for before, after in zip(captions, changed, strict=True):
        n_moved = sum(old != new for old, new in zip(before.split(), after.split(), strict=True))
        assert n_moved <= count_share(strength, len(before.split()))


@given(CAPTIONS, SEEDS, STRENGTHS)
def test_replaced_words_are_others_of_the_vocabulary_and_their_number_is_the_share(captions, seed, strength):
    changed = draw_all(captions, seed)["rw"].apply(strength)

    for before, after in zip(captions, changed, strict=True):
        old, new = before.split(), after.split()
        assert len(new) == len(old)
        assert sum(one != other for one, other in zip(old, new, strict=True)) == count_share(strength, len(old))
        assert set(new) <= set(VOCABULARY)


@given(CAPTIONS, SEEDS, STRENGTHS, STRENGTHS)
def test_distortions_are_nested_by_strength(captions, seed, one, other):
    low, high = sorted((one, other))
    for kind in ("rc", "rw"):
        drawn = draw_all(captions, seed)[kind]
        for before, less, more in zip(captions, drawn.apply(low), drawn.apply(high), strict=True):
            if kind == "rc":
                assert less in (before, more)
            else:
                triples = zip(before.split(), less.split(), more.split(), strict=True)
                assert all(weak in (word, strong) for word, weak, strong in triples)


@given(st.permutations([f"word{n}" for n in range(12)]), SEEDS)
def test_a_long_caption_of_distinct_words_is_permuted(words, seed):
    caption = " ".join(words)

    # Unchanged only if two shuffles of 12 words give the same order back: one in 2 * 10^17.
    assert draw_permuted_words([caption], rng=np.random.default_rng(seed)).apply(1.0) != (caption,)


def test_two_words_change_places_unless_both_shuffles_leave_them():
    changed = draw_permuted_words(["dog runs"] * 4000, rng=np.random.default_rng(1)).apply(1.0)

    assert set(changed) == {"dog runs", "runs dog"}
    assert changed.count("dog runs") / 4000 == pytest.approx(1 / 4, abs=0.03)


def test_fewer_than_two_words_to_move_stay():
    drawn = draw_permuted_words(["dog", "", "a dog runs"], rng=np.random.default_rng(0))

    assert drawn.apply(1.0)[:2] == ("dog", "")
    assert drawn.apply_counts([1, 0, 1]) == ("dog", "", "a dog runs")


def test_random_words_are_uniform_over_the_other_words():
    drawn = draw_replaced_words(["dog"] * 10_000, vocabulary=("dog", "cat", "sun"), rng=np.random.default_rng(2))

    changed = drawn.apply(1.0)

    assert set(changed) == {"cat", "sun"}
    assert changed.count("cat") / 10_000 == pytest.approx(1 / 2, abs=0.02)
    unknown = draw_replaced_words(["horse"] * 3000, vocabulary=("dog", "cat"), rng=np.random.default_rng(2))
    assert set(unknown.apply(1.0)) == {"dog", "cat"}


def test_random_captions_are_uniform_over_images_and_their_captions():
    pools = [["0"], ["1a", "1b"], ["2"]]

    drawn = [
        draw_random_captions(["x", "y", "z"], pools=pools, rng=np.random.default_rng(seed)).others
        for seed in range(4000)
    ]

    first = [others[0] for others in drawn]
    assert {text: first.count(text) / 4000 for text in set(first)} == pytest.approx(
        {"1a": 1 / 4, "1b": 1 / 4, "2": 1 / 2}, abs=0.03
    )


@pytest.mark.parametrize(
    ("n_words", "counts"), [(0, {0}), (1, {0}), (2, {1}), (3, {2}), (4, {2, 3}), (7, {2, 3, 4, 5, 6})]
)
def test_counts_while_a_critic_learns(n_words, counts):
    # The code draws from [min(2, e - 1), e) for e words.
    rng = np.random.default_rng(0)

    assert {draw_training_count(n_words, rng) for _ in range(200)} == counts


@given(CAPTIONS, SEEDS)
def test_ruining_as_a_critic_learns_leaves_a_word(captions, seed):
    rng = np.random.default_rng(seed)
    drawn = draw_all(captions, seed)["rw"]
    assume(any(captions))

    changed = drawn.apply_counts([draw_training_count(len(words), rng) for words in drawn.words])

    for before, after in zip(captions, changed, strict=True):
        kept = [old == new for old, new in zip(before.split(), after.split(), strict=True)]
        assert any(kept) or not kept


@pytest.mark.parametrize(
    ("strength", "n", "expected"), [(0, 7, 0), (1, 7, 7), (0.5, 5, 3), (0.1, 4, 0), (0.29, 50, 15), (0.3, 0, 0)]
)
def test_shares_round_halves_upwards(strength, n, expected):
    assert count_share(strength, n) == expected


@pytest.mark.parametrize("strength", [-0.1, 1.1, float("nan")])
def test_a_strength_out_of_range_is_said(strength):
    for drawn in draw_all(["a dog", "a cat"], 0).values():
        with pytest.raises(MetricError, match=r"must be in \[0, 1\], got"):
            drawn.apply(strength)


def test_too_little_to_draw_from_is_said():
    rng = np.random.default_rng(0)

    with pytest.raises(MetricError, match="at least 2 images, got 1"):
        draw_random_captions(["a"], pools=[["a"]], rng=rng)
    with pytest.raises(MetricError, match="at least 2 distinct words, got 1 with 1 distinct"):
        draw_replaced_words(["a"], vocabulary=["a"], rng=rng)
    with pytest.raises(MetricError, match="got 3 with 2 distinct"):
        draw_replaced_words(["a"], vocabulary=["a", "b", "a"], rng=rng)

"""Tests of the coverage of learnable words."""

import math

from tests.metrics_plugins.metrics.diversity.sets import fit, make_batch, run, score

CORPUS = make_batch([["a dog runs", "a cat"], ["two birds"]])
REFERENCES = [["two dogs run", "a dog and a zebra"], ["birds"]]


def test_share_of_words_that_corpus_and_references_have() -> None:
    # Of the corpus's words, the references have: two, a, dog, birds. The captions have a, dog, and runs, which the
    # references lack.
    batch = make_batch([["a dog runs", "a zebra"], ["a dog"]], references=REFERENCES)

    assert run(fit("coverage", CORPUS), batch).scores.values.tolist() == [2 / 4]


def test_references_of_the_corpus_are_no_part_of_it() -> None:
    corpus = make_batch([["a bird"]], references=[["a dog"]])

    # Rows have the reference "a dog"; only "a" is learnable.
    assert score(fit("coverage", corpus), [["a dog"], ["dog"]]) == [1.0]
    assert score(fit("coverage", corpus), [["dog"]]) == [0.0]


def test_no_learnable_word_has_no_score() -> None:
    assert math.isnan(score(fit("coverage", make_batch([["zebra"]])), [["a dog"]])[0])


def test_the_corpus_is_named() -> None:
    assert str(run(fit("coverage", CORPUS), CORPUS).signature) == "coverage|tok:white-space|corpus:captions|v:1"

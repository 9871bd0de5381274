"""Tests of the n-grams of sets, numbered by first occurrence."""

from metrics_plugins.api import Batch
from metrics_plugins.metrics.diversity.caption_sets import derive_caption_sets
from metrics_plugins.metrics.diversity.set_terms import derive_set_terms
from metrics_plugins.metrics.diversity.tokenizers.white_space import WhiteSpaceTokenizer
from metrics_plugins.text.ngrams import derive_ngrams
from metrics_plugins.text.tokens import derive_words
from tests.metrics_plugins.metrics.diversity.sets import make_batch


def spell(batch: Batch) -> list[str]:
    """Return each unigram term as its word."""
    tokenizer = WhiteSpaceTokenizer()
    (terms,) = derive_set_terms(batch, tokenizer, order=1)
    (table,) = derive_ngrams(batch, tokenizer, order=1)
    words = derive_words(batch, tokenizer).words
    return [words[table.last_words[ngram]] for ngram in terms.ngrams]


def test_terms_of_two_sets() -> None:
    batch = make_batch([["b a b", "a c"], ["c"]])
    unigrams, bigrams = derive_set_terms(batch, WhiteSpaceTokenizer(), order=2)

    # Sorted captions: "a c", "b a b" and "c".
    assert spell(batch) == ["a", "c", "b", "c"]
    assert unigrams.slots.tolist() == [0, 0, 1, 1, 2]
    assert unigrams.terms.tolist() == [0, 1, 2, 0, 3]
    assert unigrams.counts.tolist() == [1, 1, 2, 1, 1]
    assert unigrams.sets.tolist() == [0, 0, 0, 1]
    assert (len(unigrams), len(bigrams)) == (4, 3)
    entries = unigrams.group_entries(derive_caption_sets(batch))
    assert [row.tolist() for row in entries] == [[0, 1, 2, 3], [4]]


def test_numbers_do_not_depend_on_other_sets() -> None:
    assert spell(make_batch([["z y", "c"], ["b a b", "a c"]]))[3:] == spell(make_batch([["b a b", "a c"]]))


def test_no_captions() -> None:
    (terms,) = derive_set_terms(make_batch([[], []]), WhiteSpaceTokenizer(), order=1)

    assert (len(terms), len(terms.slots)) == (0, 0)

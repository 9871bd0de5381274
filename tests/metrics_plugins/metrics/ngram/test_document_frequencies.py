"""Tests of document frequencies against counting with sets."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.metrics.ngram.document_frequencies import count_documents, derive_frequencies, look_up
from metrics_plugins.text.ngrams import derive_ngrams
from metrics_plugins.text.tokens import derive_words
from tests.metrics_plugins.metrics.ngram.tokenized import Blanks, make_batch

CAPTIONS = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)
ROWS = st.lists(st.tuples(CAPTIONS, st.lists(CAPTIONS, max_size=3)), max_size=6)
ORDER = 3


def list_ngrams(line: str, n: int) -> list[tuple[str, ...]]:
    tokens = line.split()
    return [tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1)]


@given(fit_rows=ROWS, rows=ROWS)
def test_frequencies_equal_those_of_sets(
    fit_rows: list[tuple[str, list[str]]], rows: list[tuple[str, list[str]]]
) -> None:
    batch = make_batch(rows)
    documents = count_documents(make_batch(fit_rows), Blanks(), order=ORDER)
    found = derive_frequencies(batch, Blanks(), documents)

    words, tables = derive_words(batch, Blanks()), derive_ngrams(batch, Blanks(), order=ORDER)
    texts = batch.derive_texts("all", tuple)
    assert documents.n_images == len(fit_rows)
    for n, (table, frequencies) in enumerate(zip(tables, found, strict=True), start=1):
        expected = Counter(
            ngram for _, references in fit_rows for ngram in {g for line in references for g in list_ngrams(line, n)}
        )
        numbers = table.ids[table.ids >= 0]
        ngrams = [ngram for text in texts for ngram in list_ngrams(text, n)]
        assert frequencies[numbers].tolist() == [max(1, expected[ngram]) for ngram in ngrams]
        assert len(documents.keys[n - 1]) == sum(count > 1 for count in expected.values())
    assert words.words or not any(texts)


@given(rows=ROWS)
def test_frequencies_left_by_counting_equal_looked_up_ones(rows: list[tuple[str, list[str]]]) -> None:
    batch = make_batch(rows)
    documents = count_documents(batch, Blanks(), order=ORDER)
    left = derive_frequencies(batch, Blanks(), documents)

    found = look_up(documents, derive_words(batch, Blanks()), derive_ngrams(batch, Blanks(), order=ORDER))

    assert [column.tolist() for column in left] == [column.tolist() for column in found]


@given(rows=ROWS, seed=st.integers(0, 9))
def test_order_of_rows_leaves_no_trace(rows: list[tuple[str, list[str]]], seed: int) -> None:
    first = count_documents(make_batch(rows), Blanks(), order=ORDER)
    order = np.random.default_rng(seed).permutation(len(rows))
    second = count_documents(make_batch([rows[row] for row in order]), Blanks(), order=ORDER)

    assert first.words == second.words == tuple(sorted(first.words))
    assert [keys.tolist() for keys in first.keys] == [keys.tolist() for keys in second.keys]
    assert [counts.tolist() for counts in first.frequencies] == [counts.tolist() for counts in second.frequencies]


def test_more_rows_than_are_counted_at_once() -> None:
    rows = [("", [f"a w{row % 5000}"]) for row in range(9000)]

    documents = count_documents(make_batch(rows), Blanks(), order=2)

    assert documents.frequencies[0][documents.words.index("a")] == 9000
    assert documents.frequencies[0][documents.words.index("w17")] == 2
    assert documents.frequencies[1].tolist() == [2] * 4000

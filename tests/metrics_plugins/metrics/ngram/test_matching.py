"""Tests of matches against dictionaries of counts."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.metrics.ngram.matching import derive_matches
from metrics_plugins.text.ngrams import derive_ngrams
from tests.metrics_plugins.metrics.ngram.tokenized import Blanks, make_batch

CAPTIONS = st.lists(st.sampled_from("abc"), max_size=9).map(" ".join)
ROWS = st.lists(st.tuples(CAPTIONS, st.lists(CAPTIONS, max_size=4)), max_size=5)
ORDER = 4


def count_ngrams(line: str, n: int) -> Counter[tuple[str, ...]]:
    tokens = line.split()
    return Counter(tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1))


@given(rows=ROWS)
def test_matches_equal_those_of_dictionaries(rows: list[tuple[str, list[str]]]) -> None:
    matches = derive_matches(make_batch(rows), Blanks(), order=ORDER)

    slots = [(candidate, reference) for candidate, references in rows for reference in references]
    for n, found in enumerate(matches, start=1):
        pairs = [(count_ngrams(candidate, n), count_ngrams(reference, n)) for candidate, reference in slots]
        expected = [
            (slot, theirs[ngram], ours[ngram])
            for slot, (ours, theirs) in enumerate(pairs)
            for ngram in theirs
            if ngram in ours
        ]
        columns = (found.slots, found.reference_counts, found.candidate_counts)
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected


@given(rows=ROWS)
def test_clipped_counts_equal_those_of_dictionaries(rows: list[tuple[str, list[str]]]) -> None:
    matches = derive_matches(make_batch(rows), Blanks(), order=ORDER)

    for n, found in enumerate(matches, start=1):
        expected = []
        for candidate, references in rows:
            largest: Counter[tuple[str, ...]] = Counter()
            for reference in references:
                largest |= count_ngrams(reference, n)
            expected.append((count_ngrams(candidate, n) & largest).total())
        assert found.clipped.tolist() == expected


def test_more_rows_than_are_matched_at_once() -> None:
    rows = [(f"a w{row} c", [f"c w{row}", f"a w{row} a"]) for row in range(9000)]

    words, bigrams = derive_matches(make_batch(rows), Blanks(), order=2)

    assert words.clipped.tolist() == [3] * 9000
    assert bigrams.clipped.tolist() == [1] * 9000
    assert bigrams.slots.tolist() == [2 * row + 1 for row in range(9000)]
    tables = derive_ngrams(make_batch(rows), Blanks(), order=2)
    assert bigrams.ngrams.max() < len(tables[1])

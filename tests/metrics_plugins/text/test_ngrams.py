"""Tests of n-gram tables against counting with dictionaries."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.text.ngrams import NgramTable, number_ngrams
from metrics_plugins.text.tokens import TokenTable, split_at_blanks, split_at_white_space

LINES = st.lists(st.lists(st.sampled_from("abc"), max_size=8).map(" ".join), max_size=6)
ORDERS = (1, 2, 3, 4, 5)


def make_tables(lines: list[str]) -> tuple[TokenTable, list[NgramTable]]:
    words = split_at_white_space(split_at_blanks(lines))
    tables: list[NgramTable] = []
    for order in ORDERS:
        tables.append(number_ngrams(words, shorter=tables[-1] if tables else None, order=order))
    return words, tables


def spell(number: int, tables: list[NgramTable], words: TokenTable) -> tuple[str, ...]:
    last = words.words[tables[-1].last_words[number]]
    if len(tables) == 1:
        return (last,)
    return (*spell(tables[-1].prefixes[number], tables[:-1], words), last)


@given(lines=LINES)
def test_counts_equal_those_of_dictionaries(lines: list[str]) -> None:
    words, tables = make_tables(lines)

    for order, table in zip(ORDERS, tables, strict=True):
        for text, line in enumerate(lines):
            tokens = line.split()
            expected = Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))
            places = range(words.offsets[text], words.offsets[text + 1])
            found = {
                spell(table.ids[place], tables[:order], words): table.counts[place]
                for place in places
                if table.counts[place]
            }
            assert list(found.items()) == list(expected.items())  # in order of first appearance


@given(lines=LINES)
def test_each_ngram_has_one_number(lines: list[str]) -> None:
    words, tables = make_tables(lines)

    for order, table in zip(ORDERS, tables, strict=True):
        ngrams = [
            tuple(tokens[at : at + order])
            for tokens in (line.split() for line in lines)
            for at in range(len(tokens) - order + 1)
        ]
        assert [spell(number, tables[:order], words) for number in table.ids[table.ids >= 0]] == ngrams
        assert len(table) == len(set(ngrams))

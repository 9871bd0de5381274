"""The captions of a batch as words, and the words and phrases that a match of METEOR may cover."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.metrics.meteor.indexing import WORD_BITS
from metrics_plugins.metrics.meteor.lexicon import Lexicon
from metrics_plugins.metrics.meteor.normalising import is_plain, normalise_lines
from metrics_plugins.text.sorting import mark_changes, sort_with_positions
from metrics_plugins.text.tokens import TokenTable

Bools = npt.NDArray[np.bool_]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CaptionTable:
    """Every distinct caption of a batch.

    A span is a sequence of words that a match can cover on one side: any single word, and any phrase of at least two
    words that is in the table of paraphrases and has a paraphrase in the batch. Equal spans have the same number: first
    the words, numbered as in `tokens`, then the phrases.

    Attributes:
        tokens: The words.
        function_counts: `(n_tokens + 1,)`: the number of function words before each word of the batch.
        kinds: `(n_texts,)`: the same number for captions with the same words.
        offsets: `(n_texts + 1,)`: caption t has the spans `offsets[t]` to `offsets[t + 1]`, by start, then by length.
        spans: `(n_occurrences,)`: the number of the span of each occurrence.
        starts: `(n_occurrences,)`: its first word, counted from the start of the caption.
        lengths: `(n_spans,)`: the number of words of each span.
        edges: The pairs of spans that are paraphrases: the source span, the target span, and the edge in the lexicon.
    """

    tokens: TokenTable
    function_counts: Int32
    kinds: Int64
    offsets: Int64
    spans: Int32
    starts: Int32
    lengths: Int32
    edges: tuple[Int64, Int64, Int64]

    @cached_property
    def n_words(self) -> Int64:
        """`(n_texts,)`: the number of words of each caption."""
        return self.tokens.lengths


def read_captions(first_tokens: TokenTable, lexicon: Lexicon) -> CaptionTable:
    """Return the captions with these tokens of the first tokeniser, which are tokenised a second time."""
    tokens = _tokenize_again(first_tokens, lexicon)
    is_function_word = np.array([word in lexicon.function_words for word in tokens.words], dtype=np.bool_)
    nodes, places = _find_phrases(tokens, lexicon)
    edges = _find_edges(nodes, lexicon)
    spans, starts, lengths, offsets, edges = _number_spans(tokens, lexicon, nodes, places, edges)
    return CaptionTable(
        tokens=tokens,
        function_counts=np.concatenate([[0], np.cumsum(is_function_word[tokens.ids])]).astype(np.int32),
        kinds=_number_kinds(tokens),
        offsets=offsets,
        spans=spans,
        starts=starts,
        lengths=lengths,
        edges=edges,
    )


def _tokenize_again(tokens: TokenTable, lexicon: Lexicon) -> TokenTable:
    # Nine captions out of ten do not change, so only the others are tokenised again.
    is_odd_word = np.array([not is_plain(word) for word in tokens.words], dtype=np.bool_)
    n_odd_words = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(is_odd_word[tokens.ids])])
    is_odd = np.diff(n_odd_words[tokens.offsets]) > 0
    odd = np.flatnonzero(is_odd)
    lines = [
        " ".join([tokens.words[number] for number in tokens.ids[tokens.offsets[text] : tokens.offsets[text + 1]]])
        for text in odd
    ]
    numbers = {word: number for number, word in enumerate(tokens.words)}
    pieces = Ragged.from_rows(
        [
            [numbers.setdefault(word, len(numbers)) for word in line.split(" ") if word]
            for line in normalise_lines(lines, prefixes=lexicon.prefixes)
        ]
    )
    lengths = tokens.lengths.copy()
    lengths[odd] = pieces.lengths
    comes_from_odd = np.repeat(is_odd, lengths)
    ids = np.empty(len(comes_from_odd), dtype=np.int32)
    ids[comes_from_odd] = pieces.values
    ids[~comes_from_odd] = tokens.ids[~np.repeat(is_odd, tokens.lengths)]
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
    return TokenTable(words=tuple(numbers), ids=ids, offsets=offsets)


def _number_kinds(tokens: TokenTable) -> Int64:
    keys = hash_words(tokens.words)[tokens.ids].tobytes()
    numbers: dict[bytes, int] = {}
    ends = (tokens.offsets * 8).tolist()
    rows = pairwise(ends)
    return np.array([numbers.setdefault(keys[start:end], len(numbers)) for start, end in rows], dtype=np.int64)


def hash_words(words: Sequence[str]) -> Int64:
    """Return `(n_words,)`: Java's hash code of each word; the exact and stem stages compare only these.

    Words with equal hash codes therefore match, such as `an` and `c0`, as they do in the reference program.
    """
    hashes = np.zeros(len(words), dtype=np.int64)
    for place, word in enumerate(words):
        value = 0
        for unit in memoryview(word.encode("utf-16-le", "surrogatepass")).cast("H"):
            value = (31 * value + unit) & 0xFFFFFFFF
        hashes[place] = value
    return hashes


def _find_phrases(tokens: TokenTable, lexicon: Lexicon) -> tuple[list[Int64], list[Int64]]:
    """Return, for each length from 1, the nodes of the phrases in the captions, and the first token of each."""
    numbers = np.array([lexicon.numbers.get(word, -1) for word in tokens.words], dtype=np.int64)
    stream = numbers[tokens.ids]
    ends = np.repeat(tokens.offsets[1:], tokens.lengths)
    places = np.arange(len(stream))
    parents = np.zeros(len(stream), dtype=np.int64)
    found_nodes, found_places = [], []
    for depth, (first, last) in enumerate(zip(lexicon.level_offsets[:-1], lexicon.level_offsets[1:], strict=True)):
        fits = places + depth < ends[places]
        places, parents = places[fits], parents[fits]
        words = stream[places + depth]
        places, parents, words = places[words >= 0], parents[words >= 0], words[words >= 0]
        parents = _find_keys(parents << WORD_BITS | words, lexicon.node_keys[first:last])
        places, parents = places[parents >= 0], parents[parents >= 0]
        found_nodes.append(parents + first)
        found_places.append(places)
    return found_nodes, found_places


def _find_keys(keys: Int64, level: Int64) -> Int64:
    """Return the position of each key in a sorted level, -1 if it is not there."""
    # Sort first: random access to a large level takes several times as long.
    sorted_keys, positions = sort_with_positions(keys, np.arange(len(keys)), n_positions=len(keys))
    is_new = mark_changes(sorted_keys)
    distinct = sorted_keys[is_new]
    where = np.minimum(np.searchsorted(level, distinct), len(level) - 1)
    where[level[where] != distinct] = -1
    found = np.empty(len(keys), dtype=np.int64)
    found[positions] = where[np.cumsum(is_new) - 1]
    return found


def _find_edges(nodes: list[Int64], lexicon: Lexicon) -> tuple[Int64, Int64, Int64]:
    """Return the source node, the target node and the number of each edge between phrases of the captions."""
    present = np.unique(np.concatenate(nodes))
    first, last = lexicon.edge_offsets[present].astype(np.int64), lexicon.edge_offsets[present + 1]
    counts = last - first
    edges = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    targets = lexicon.edge_targets[edges].astype(np.int64)
    is_present = np.zeros(len(lexicon.edge_offsets), dtype=np.bool_)
    is_present[present] = True
    kept = is_present[targets]
    return np.repeat(present, counts)[kept], targets[kept], edges[kept]


def _number_spans(
    tokens: TokenTable,
    lexicon: Lexicon,
    nodes: list[Int64],
    places: list[Int64],
    edges: tuple[Int64, Int64, Int64],
) -> tuple[Int32, Int32, Int32, Int64, tuple[Int64, Int64, Int64]]:
    sources, targets, numbers = edges
    span_of_node = np.full(len(lexicon.edge_offsets), -1, dtype=np.int64)
    phrases = np.unique(np.concatenate([sources, targets]))
    phrases = phrases[phrases >= lexicon.level_offsets[1]]
    span_of_node[phrases] = len(tokens.words) + np.arange(len(phrases))
    span_of_node[nodes[0]] = tokens.ids[places[0]]
    lengths = np.ones(len(tokens.words) + len(phrases), dtype=np.int32)
    lengths[len(tokens.words) :] = np.searchsorted(lexicon.level_offsets, phrases, side="right")
    n_tokens = len(tokens.ids)
    all_places = np.concatenate([np.arange(n_tokens), *places[1:]])
    all_spans = np.concatenate([tokens.ids, *[span_of_node[level] for level in nodes[1:]]])
    kept = all_spans >= 0
    all_places, all_spans = all_places[kept], all_spans[kept]
    # Levels are in order of length, so a stable sort by place sorts by place and length.
    order = np.argsort(all_places, kind="stable")
    all_places, all_spans = all_places[order], all_spans[order]
    offsets = np.searchsorted(all_places, tokens.offsets)
    starts = all_places - np.repeat(tokens.offsets[:-1], np.diff(offsets))
    return (
        all_spans.astype(np.int32),
        starts.astype(np.int32),
        lengths,
        offsets,
        (span_of_node[sources], span_of_node[targets], numbers),
    )

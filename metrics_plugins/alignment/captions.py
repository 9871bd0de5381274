"""The captions of a batch as METEOR sees them: words, and the words and phrases that a match may cover."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from metrics_plugins.alignment.indexing import WORD_BITS
from metrics_plugins.alignment.lexicon import Lexicon
from metrics_plugins.alignment.normalising import normalise_lines
from metrics_plugins.text.tokens import TokenTable, split_at_blanks

Bools = npt.NDArray[np.bool_]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CaptionTable:
    """Every distinct caption of a batch.

    A span is a run of words that a match can cover on one side: any word, and every phrase of two words or more that
    stands in the table of paraphrases together with a paraphrase that occurs in the batch. Equal runs have one number:
    first come the words, numbered as in `tokens`, then the phrases.

    Attributes:
        tokens: The words.
        function_counts: `(n_tokens + 1,)`: how many function words precede each word in the stream.
        kinds: `(n_texts,)`: equal for captions of equal words.
        offsets: `(n_texts + 1,)`: caption t has the spans `offsets[t]` to `offsets[t + 1]`, by start, then by length.
        spans: `(n_occurrences,)`: the number of each span.
        starts: `(n_occurrences,)`: its first word, counted from the start of the caption.
        lengths: `(n_spans,)`: how many words each span has, by its number.
        edges: Which spans are paraphrases, as numbers of source and target span and of the edge in the lexicon.
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


def read_captions(lines: Sequence[str], lexicon: Lexicon) -> CaptionTable:
    """Return the captions of these lines, which the first tokeniser has made."""
    tokens = _drop_empty_words(split_at_blanks(normalise_lines(lines, prefixes=lexicon.prefixes)))
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


def _drop_empty_words(tokens: TokenTable) -> TokenTable:
    if "" not in tokens.words:
        return tokens
    is_word = tokens.ids != tokens.words.index("")
    counts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(is_word)])
    return TokenTable(words=tokens.words, ids=tokens.ids[is_word], offsets=counts[tokens.offsets])


def _number_kinds(tokens: TokenTable) -> Int64:
    keys = hash_words(tokens.words)[tokens.ids].tobytes()
    numbers: dict[bytes, int] = {}
    ends = (tokens.offsets * 8).tolist()
    rows = pairwise(ends)
    return np.array([numbers.setdefault(keys[start:end], len(numbers)) for start, end in rows], dtype=np.int64)


def hash_words(words: Sequence[str]) -> Int64:
    """Return `(n_words,)`: Java's hash code of each word, which is all that the exact and stem stages compare.

    So `an` matches `c0`, as in the reference program.
    """
    hashes = np.zeros(len(words), dtype=np.int64)
    for place, word in enumerate(words):
        value = 0
        for unit in memoryview(word.encode("utf-16-le", "surrogatepass")).cast("H"):
            value = (31 * value + unit) & 0xFFFFFFFF
        hashes[place] = value
    return hashes


def _find_phrases(tokens: TokenTable, lexicon: Lexicon) -> tuple[list[Int64], list[Int64]]:
    """Return, for each length from 1, the nodes of the phrases in the captions, and at which token each starts."""
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
        keys, inverse = np.unique(parents << WORD_BITS | words, return_inverse=True)
        level = lexicon.node_keys[first:last]
        where = np.minimum(np.searchsorted(level, keys), len(level) - 1)
        where[level[where] != keys] = -1
        parents = where[inverse]
        places, parents = places[parents >= 0], parents[parents >= 0]
        found_nodes.append(parents + first)
        found_places.append(places)
    return found_nodes, found_places


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
    # Levels come one after the other, so a stable order by place is one by place and length.
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

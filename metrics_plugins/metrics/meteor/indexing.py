"""Converts the data of METEOR to arrays that can be memory-mapped."""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from metrics_plugins.metrics.meteor.sources import MeteorSources

Arrays = dict[str, npt.NDArray[np.generic]]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]

WORD_BITS = 20
"""The key of a node in the tree of phrases is its parent, shifted left by this many bits, plus its last word."""


def index_sources(sources: MeteorSources) -> Arrays:
    """Return the arrays of a `Lexicon`, by the name of its attribute.

    Raises:
        ValueError: There are more words than fit into `WORD_BITS`.
    """
    phrases, edges = _number_phrases(sources)
    synsets, bases = sources.read_synsets(), sources.read_bases()
    words: dict[str, int] = {}
    phrase_words = [[words.setdefault(word, len(words)) for word in phrase.decode().split()] for phrase in phrases]
    for word in chain(synsets, bases, *bases.values()):
        words.setdefault(word, len(words))
    if len(words) >> WORD_BITS:
        raise ValueError(f"the data of METEOR have {len(words)} words, more than {1 << WORD_BITS}")
    arrays = _grow_tree(phrase_words, edges)
    arrays["word_letters"] = _write_lines(words)
    arrays["synset_offsets"], arrays["synsets"] = _flatten([synsets.get(word, []) for word in words])
    arrays["base_offsets"], arrays["bases"] = _flatten(
        [[words[base] for base in bases.get(word, [])] for word in words]
    )
    arrays["function_letters"] = _write_lines(sources.read_function_words())
    arrays["prefix_letters"] = _write_lines(sources.read_prefixes())
    return arrays


def _number_phrases(sources: MeteorSources) -> tuple[list[bytes], tuple[Int32, Int32]]:
    numbers: dict[bytes, int] = {}
    ends = chain.from_iterable(sources.iterate_paraphrases())
    # A flat array, because millions of pairs of Python integers would need gigabytes.
    flat = np.fromiter((numbers.setdefault(phrase, len(numbers)) for phrase in ends), dtype=np.int32)
    return list(numbers), (flat[::2], flat[1::2])


def _grow_tree(phrases: Sequence[Sequence[int]], edges: tuple[Int32, Int32]) -> Arrays:
    lengths = np.fromiter(map(len, phrases), dtype=np.int64, count=len(phrases))
    flat = np.fromiter(chain.from_iterable(phrases), dtype=np.int64, count=int(lengths.sum()))
    starts = np.cumsum(lengths) - lengths
    nodes = np.zeros(len(phrases), dtype=np.int64)
    parents = np.zeros(len(phrases), dtype=np.int64)
    level_keys: list[Int64] = []
    n_nodes = 0
    for depth in range(int(lengths.max(initial=0))):
        alive = np.flatnonzero(lengths > depth)
        keys, parents[alive] = np.unique(parents[alive] << WORD_BITS | flat[starts[alive] + depth], return_inverse=True)
        nodes[alive] = n_nodes + parents[alive]
        level_keys.append(keys)
        n_nodes += len(keys)
    sources, targets = nodes[edges[0]], nodes[edges[1]]
    # Stable, because the order of paraphrases in the table decides between equally good alignments.
    order = np.argsort(sources, kind="stable")
    return {
        "node_keys": np.concatenate(level_keys),
        "level_offsets": _cumulate([len(keys) for keys in level_keys]),
        "edge_offsets": _cumulate(np.bincount(sources, minlength=n_nodes)).astype(np.int32),
        "edge_targets": targets[order].astype(np.int32),
    }


def _write_lines(lines: Iterable[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


def _flatten(rows: Sequence[Sequence[int]]) -> tuple[Int32, Int32]:
    offsets = _cumulate([len(row) for row in rows]).astype(np.int32)
    return offsets, np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=int(offsets[-1]))


def _cumulate(counts: Sequence[int] | Int64) -> Int64:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)])

"""The comparison of every candidate of a batch with the scene graph of its references."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.scene_graph.graphs.graph import build_graph
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind, load_attribute_kinds
from metrics_plugins.metrics.scene_graph.graphs.matching import KnownGraph, count_matches
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import load_vocabulary
from metrics_plugins.metrics.scene_graph.parsers import CaptionParser, derive_proposals
from metrics_plugins.text.tokens import name_tokenizer

Counts = npt.NDArray[np.int64]

_KEPT_CANDIDATES = 4096


def derive_counts(batch: Batch, *, tokenizer: Tokenizer, parser: CaptionParser) -> Counts:
    """Return `(n_rows, 3, 7)`: the numbers of matched, candidate and reference tuples of each `TupleKind`.

    The numbers of a row without references are zero.
    """

    def count(view: Batch) -> Counts:
        counts = np.zeros((len(view), 3, len(TupleKind)), dtype=np.int64)
        for row, candidate, reference in pair_graphs(view, tokenizer=tokenizer, parser=parser):
            counts[row] = count_matches(candidate, reference), candidate.counts, reference.counts
        return counts

    return batch.derive(("scene graph counts", name_tokenizer(tokenizer), parser), count)


def pair_graphs(
    batch: Batch, *, tokenizer: Tokenizer, parser: CaptionParser
) -> Iterator[tuple[int, KnownGraph, KnownGraph]]:
    """Yield each row with references, with the graph of its candidate and the merged graph of all its references.

    Rows with the same references are consecutive, so that their graph is built once and need not be stored.
    """
    make_graph = _make_builder(batch, tokenizer=tokenizer, parser=parser)
    make_candidate = lru_cache(_KEPT_CANDIDATES)(lambda text: make_graph([text]))
    candidates = batch.candidate_rows.tolist()
    for rows, texts in _group_rows(batch):
        reference = make_graph(texts)
        for row in rows:
            yield row, make_candidate(candidates[row]), reference


def iterate_references(
    batch: Batch, *, tokenizer: Tokenizer, parser: CaptionParser
) -> Iterator[tuple[int, KnownGraph]]:
    """Yield each distinct list of references with the number of its rows; rows without references are left out."""
    make_graph = _make_builder(batch, tokenizer=tokenizer, parser=parser)
    for rows, texts in _group_rows(batch):
        yield len(rows), make_graph(texts)


def _make_builder(
    batch: Batch, *, tokenizer: Tokenizer, parser: CaptionParser
) -> Callable[[Sequence[int]], KnownGraph]:
    # Resources that may be missing are loaded before anything is parsed.
    word_kinds, vocabulary = load_attribute_kinds(), load_vocabulary()
    proposals = derive_proposals(batch, tokenizer=tokenizer, parser=parser)

    def make_graph(texts: Sequence[int]) -> KnownGraph:
        graph = build_graph([proposals[text] for text in texts], vocabulary=vocabulary)
        return KnownGraph(graph, word_kinds)

    return make_graph


def _group_rows(batch: Batch) -> Iterator[tuple[list[int], list[int]]]:
    return ((rows, list(texts)) for texts, rows in batch.reference_rows.group_rows().items() if texts)

"""All matches between the captions of each pair, and those that are part of any alignment."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.metrics.meteor.captions import CaptionTable
from metrics_plugins.metrics.meteor.relations import EXACT, PARAPHRASE, RelationTable

Bools = npt.NDArray[np.bool_]
Int64 = npt.NDArray[np.int64]

_MAX_CELLS = 1 << 21
_MAX_PAIRS = 1 << 13
_BITS = 63


@dataclass(frozen=True, slots=True, eq=False)
class AlignmentTable:
    """The matches of pairs of captions, by pair, by first word in the reference, then in the order they are tried.

    Attributes:
        candidates: `(n_pairs,)`: the candidate of each pair, as a caption of the table.
        references: `(n_pairs,)`: its reference.
        n_positions: The largest number of words of a reference, plus one.
        offsets: `(n_pairs * n_positions + 1,)`: the matches that start at word j of the reference of pair p are those
            from `offsets[p * n_positions + j]` on.
        stages: `(n_matches,)`: 0 exact, 1 stem, 2 synonym, 3 paraphrase.
        reference_starts, reference_lengths, candidate_starts, candidate_lengths: `(n_matches,)`: words covered.
        is_fixed: `(n_matches,)`: whether no other match covers any of those words.
    """

    candidates: Int64
    references: Int64
    n_positions: int
    offsets: Int64
    stages: Int64
    reference_starts: Int64
    reference_lengths: Int64
    candidate_starts: Int64
    candidate_lengths: Int64
    is_fixed: Bools

    @property
    def pairs(self) -> Int64:
        """`(n_matches,)`: the pair of each match."""
        return np.repeat(np.arange(len(self.candidates)), np.diff(self.offsets[:: self.n_positions]))


def cut_pairs(captions: CaptionTable, candidates: Int64, references: Int64) -> Iterator[Int64]:
    """Yield the numbers of pairs in blocks of limited size, pairs with references of similar length together."""
    n_spans = np.diff(captions.offsets)
    order = np.argsort(captions.n_words[references], kind="stable")
    cells = np.cumsum(n_spans[candidates[order]] * n_spans[references[order]])
    start = 0
    while start < len(order):
        spent = cells[start - 1] if start else 0
        stop = int(np.searchsorted(cells, spent + _MAX_CELLS, side="right"))
        stop = min(max(stop, start + 1), start + _MAX_PAIRS)
        yield order[start:stop]
        start = stop


def match_pairs(
    captions: CaptionTable, relations: RelationTable, candidates: Int64, references: Int64
) -> AlignmentTable:
    """Return the matches of each pair of captions; captions with the same words have only exact matches."""
    pairs, reference_spans, candidate_spans, numbers = _find_cells(captions, relations, candidates, references)
    counts = np.diff(relations.offsets)[numbers]
    cells = np.repeat(np.arange(len(numbers)), counts)
    which = np.repeat(relations.offsets[:-1][numbers] - np.cumsum(counts) + counts, counts) + np.arange(len(cells))
    stages, edges = relations.stages[which].astype(np.int64), relations.edges[which].astype(np.int64)
    is_equal = captions.kinds[candidates] == captions.kinds[references]
    kept = (stages == EXACT) | ~is_equal[pairs[cells]]
    cells, stages, edges = cells[kept], stages[kept], edges[kept]
    pairs, reference_spans, candidate_spans = pairs[cells], reference_spans[cells], candidate_spans[cells]
    starts, candidate_starts = (captions.starts[spans].astype(np.int64) for spans in (reference_spans, candidate_spans))
    order = _order(pairs, starts, stages, candidate_starts, edges)
    pairs, starts, candidate_starts = pairs[order], starts[order], candidate_starts[order]
    lengths = captions.lengths[captions.spans[reference_spans[order]]].astype(np.int64)
    candidate_lengths = captions.lengths[captions.spans[candidate_spans[order]]].astype(np.int64)
    n_positions = int(captions.n_words[references].max(initial=0)) + 1
    slots = pairs * n_positions + starts
    sizes = np.bincount(slots, minlength=len(candidates) * n_positions)
    alone = _cover_once(pairs, starts, lengths) & _cover_once(pairs, candidate_starts, candidate_lengths)
    return AlignmentTable(
        candidates=candidates,
        references=references,
        n_positions=n_positions,
        offsets=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)]),
        stages=np.minimum(stages[order], PARAPHRASE),
        reference_starts=starts,
        reference_lengths=lengths,
        candidate_starts=candidate_starts,
        candidate_lengths=candidate_lengths,
        is_fixed=alone,
    )


def _find_cells(
    captions: CaptionTable, relations: RelationTable, candidates: Int64, references: Int64
) -> tuple[Int64, Int64, Int64, Int64]:
    """Return pair, occurrence in the reference, occurrence in the candidate, and number of each related pair."""
    offsets = captions.offsets
    n_spans = np.diff(offsets)
    in_reference, in_candidate = n_spans[references], n_spans[candidates]
    row_pairs = np.repeat(np.arange(len(references)), in_reference)
    rows = _count_up(offsets[references], in_reference)
    widths = in_candidate[row_pairs]
    columns = _count_up(offsets[candidates][row_pairs], widths)
    found, numbers = relations.find_pairs(np.repeat(captions.spans[rows], widths), captions.spans[columns])
    found_rows = np.searchsorted(np.cumsum(widths), found, side="right")
    return row_pairs[found_rows], rows[found_rows], columns[found], numbers


def _count_up(firsts: Int64, counts: Int64) -> Int64:
    """Return the concatenated ranges that begin at each first number and have the given lengths."""
    ends = np.cumsum(counts)
    numbers = np.repeat(firsts - ends + counts, counts)
    numbers += np.arange(len(numbers))
    return numbers


def _order(pairs: Int64, starts: Int64, stages: Int64, candidate_starts: Int64, edges: Int64) -> Int64:
    """Return the order in which the reference program tries the matches.

    Paraphrases of a phrase in the reference are ordered by phrase (edges are numbered by the length of the phrase, then
    as in the table); if the phrase is in the candidate, they are ordered by position in the candidate.
    """
    by_edge = stages == PARAPHRASE
    major, minor = np.where(by_edge, edges, candidate_starts), np.where(by_edge, candidate_starts, edges)
    columns = [pairs, starts, stages, major, minor]
    widths = [int(column.max(initial=0)).bit_length() for column in columns]
    if sum(widths) > _BITS:
        return np.lexsort(columns[::-1])
    packed = np.zeros(len(pairs), dtype=np.int64)
    for column, width in zip(columns, widths, strict=True):
        packed = packed << width | column
    return np.argsort(packed, kind="stable")


def _cover_once(pairs: Int64, starts: Int64, lengths: Int64) -> Bools:
    """Return, for each match, whether no other match covers any of its words on this side."""
    width = int((starts + lengths).max(initial=0)) + 1
    n_places = (int(pairs.max(initial=0)) + 1) * width
    firsts = pairs * width + starts
    steps = np.bincount(firsts, minlength=n_places + 1) - np.bincount(firsts + lengths, minlength=n_places + 1)
    is_crowded = np.concatenate([[0], np.cumsum(np.cumsum(steps) > 1)])
    alone: Bools = is_crowded[firsts + lengths] == is_crowded[firsts]
    return alone

"""The beam search of METEOR 1.5 for the alignments of all pairs of captions in a block at once."""

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from metrics_plugins.metrics.meteor.captions import CaptionTable
from metrics_plugins.metrics.meteor.matching import AlignmentTable
from metrics_plugins.text.sorting import mark_changes, sort_with_positions

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Int64 = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint64]

_BEAM = 40
_NOWHERE = -1
_BITS_PER_MASK = 64


@dataclass(frozen=True, slots=True, eq=False)
class Alignments:
    """The best alignment of each pair.

    Attributes:
        matches: The numbers of the matches in the alignments, in no particular order.
        chunks: `(n_pairs,)`: the number of sequences of matches that are adjacent on both sides.
    """

    matches: Int64
    chunks: Int64


@dataclass(slots=True, eq=False)
class _Paths:
    """Partial alignments, grouped by pair, the best first.

    Attributes:
        pair: The number of the pair.
        next_word: The first word of the reference that has not been processed.
        last_end: The end of the last match in the candidate, or -1 if the previous word has no match.
        weight_1, weight_2: The weights of covered words in candidate and reference, truncated to whole numbers.
        chunks: The number of closed chunks.
        distance: The distance of matches from the diagonal, summed as in the reference program.
        used: `(n_paths, n_masks)`: a bit mask of the covered words of the candidate.
        taken: The last link in the chain of matches other than fixed ones, -1 for none.
    """

    pair: Int64
    next_word: Int64
    last_end: Int64
    weight_1: Int64
    weight_2: Int64
    chunks: Int64
    distance: Int64
    used: Masks
    taken: Int64

    def __len__(self) -> int:
        return len(self.pair)

    def take(self, rows: Int64 | Bools) -> "_Paths":
        """Return the chosen paths."""
        return _Paths(*(getattr(self, field.name)[rows] for field in fields(self)))

    def close_chunk(self, rows: Bools) -> None:
        """Close the open chunks of these paths."""
        self.chunks += rows & (self.last_end != _NOWHERE)
        self.last_end[rows] = _NOWHERE


def align_pairs(captions: CaptionTable, matches: AlignmentTable, *, weights: Floats) -> Alignments:
    """Return the alignment of each pair.

    Args:
        captions: The captions.
        matches: The matches of the pairs.
        weights: `(4,)`: the weight of each stage.
    """
    search = _Search(captions, matches, weights=weights)
    n_words = captions.n_words[matches.references]
    paths = search.start()
    finished = []
    for word in range(matches.n_positions):
        paths = _cut_beam(_sort(paths))
        is_over = n_words[paths.pair] == word
        if is_over.any():
            over = paths.take(is_over)
            over.close_chunk(np.ones(len(over), dtype=np.bool_))
            over = _sort(over)
            finished.append(over.take(mark_changes(over.pair)))
            paths = paths.take(~is_over)
        paths = search.advance(paths, word)
    return search.finish(finished)


class _Search:
    """Extends paths, and stores the matches of each."""

    def __init__(self, captions: CaptionTable, matches: AlignmentTable, *, weights: Floats) -> None:
        self.matches = matches
        self.n_masks = 1 + int(captions.n_words[matches.candidates].max(initial=0)) // _BITS_PER_MASK
        self.masks = _mask_words(matches.candidate_starts, matches.candidate_lengths, n_masks=self.n_masks)
        self.gain_1 = matches.candidate_lengths * weights[matches.stages]
        self.gain_2 = matches.reference_lengths * weights[matches.stages]
        self.distances = np.abs(matches.reference_starts - matches.candidate_starts)
        self.links: list[tuple[Int64, Int64]] = []
        self.n_links = 0

    def start(self) -> _Paths:
        n_pairs = len(self.matches.candidates)
        zeros = [np.zeros(n_pairs, dtype=np.int64) for _ in range(5)]
        return _Paths(
            pair=np.arange(n_pairs),
            next_word=zeros[0],
            last_end=np.full(n_pairs, _NOWHERE),
            weight_1=zeros[1],
            weight_2=zeros[2],
            chunks=zeros[3],
            distance=zeros[4],
            used=np.zeros((n_pairs, self.n_masks), dtype=np.uint64),
            taken=np.full(n_pairs, _NOWHERE),
        )

    def advance(self, paths: _Paths, word: int) -> _Paths:
        """Extend every path by one word of the reference: with each of its matches in turn, then without a match."""
        slots = paths.pair * self.matches.n_positions + word
        firsts = self.matches.offsets[slots]
        n_choices = self.matches.offsets[slots + 1] - firsts
        n_choices[paths.next_word > word] = 0
        is_fixed = np.zeros(len(paths), dtype=np.bool_)
        has_choice = n_choices > 0
        is_fixed[has_choice] = self.matches.is_fixed[firsts[has_choice]]
        n_choices[is_fixed] = 0
        parents = np.repeat(np.arange(len(paths)), n_choices)
        chosen = np.repeat(firsts - np.cumsum(n_choices) + n_choices, n_choices) + np.arange(len(parents))
        is_free = ~(paths.used[parents] & self.masks[chosen]).any(axis=1)
        parents, chosen = parents[is_free], chosen[is_free]
        n_children = np.bincount(parents, minlength=len(paths))
        children = np.arange(len(parents)) + parents
        stays = np.arange(len(paths)) + np.cumsum(n_children)
        origins = np.empty(len(paths) + len(parents), dtype=np.int64)
        origins[children], origins[stays] = parents, np.arange(len(paths))
        grown = paths.take(origins)
        self._add_distances(grown, children, stays, chosen, n_children)
        self._take_matches(grown, children, chosen)
        self._link(grown, children, chosen)
        fixed = stays[is_fixed]
        self._take_matches(grown, fixed, firsts[is_fixed])
        grown.distance[fixed] += self.distances[firsts[is_fixed]]
        passes = np.zeros(len(grown), dtype=np.bool_)
        passes[stays] = ~is_fixed & (paths.next_word <= word)
        grown.close_chunk(passes)
        grown.next_word[passes] = word + 1
        return grown

    def _add_distances(self, grown: _Paths, children: Int64, stays: Int64, chosen: Int64, n_children: Int64) -> None:
        # The reference program adds the distance of a match to the parent path after branching: later branches include
        # it, the branch with the match does not.
        sums = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(self.distances[chosen])])
        ends = np.cumsum(n_children)
        before = sums[ends - n_children]
        grown.distance[children] += sums[:-1] - np.repeat(before, n_children)
        grown.distance[stays] += sums[ends] - before

    def _take_matches(self, paths: _Paths, rows: Int64, chosen: Int64) -> None:
        matches = self.matches
        # Truncated at each step as in the reference program, so a single match with a weight below 1 adds nothing.
        paths.weight_1[rows] = (paths.weight_1[rows] + self.gain_1[chosen]).astype(np.int64)
        paths.weight_2[rows] = (paths.weight_2[rows] + self.gain_2[chosen]).astype(np.int64)
        last_end, starts = paths.last_end[rows], matches.candidate_starts[chosen]
        paths.chunks[rows] += (last_end != _NOWHERE) & (last_end != starts)
        paths.next_word[rows] = matches.reference_starts[chosen] + matches.reference_lengths[chosen]
        paths.last_end[rows] = starts + matches.candidate_lengths[chosen]
        paths.used[rows] |= self.masks[chosen]

    def _link(self, paths: _Paths, rows: Int64, chosen: Int64) -> None:
        self.links.append((paths.taken[rows], chosen))
        paths.taken[rows] = self.n_links + np.arange(len(rows))
        self.n_links += len(rows)

    def finish(self, finished: list[_Paths]) -> Alignments:
        """Return the best paths as alignments."""
        chunks = np.zeros(len(self.matches.candidates), dtype=np.int64)
        previous, chosen = (np.concatenate(columns) for columns in zip(*self.links, strict=True))
        taken = [np.flatnonzero(self.matches.is_fixed)]
        for paths in finished:
            chunks[paths.pair] = paths.chunks
        links = np.concatenate([paths.taken for paths in finished])
        while len(links := links[links != _NOWHERE]):
            taken.append(chosen[links])
            links = previous[links]
        return Alignments(matches=np.concatenate(taken), chunks=chunks)


def _mask_words(starts: Int64, lengths: Int64, *, n_masks: int) -> Masks:
    masks = np.zeros((len(starts), n_masks), dtype=np.uint64)
    for offset in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > offset)
        columns, bits = np.divmod(starts[rows] + offset, _BITS_PER_MASK)
        masks[rows, columns] |= np.uint64(1) << bits.astype(np.uint64)
    return masks


def _sort(paths: _Paths) -> _Paths:
    """Sort the paths of each pair by the most weight, fewest chunks and least distance; the sort is stable."""
    weights = paths.weight_1 + paths.weight_2
    keys = paths.pair
    for column in (int(weights.max(initial=0)) - weights, paths.chunks, paths.distance):
        keys = keys << int(column.max(initial=0)).bit_length() | column
    if (keys[1:] >= keys[:-1]).all():
        return paths
    _, order = sort_with_positions(keys, np.arange(len(keys)), n_positions=len(keys))
    return paths.take(order)


def _cut_beam(paths: _Paths) -> _Paths:
    firsts = np.flatnonzero(mark_changes(paths.pair))
    sizes = np.diff(firsts, append=len(paths))
    if sizes.max(initial=0) <= _BEAM:
        return paths
    return paths.take(np.arange(len(paths)) - np.repeat(firsts, sizes) < _BEAM)

"""A table of the words and phrases of a batch that match each other, with the stages in which they do."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.metrics.meteor.captions import CaptionTable, hash_words
from metrics_plugins.metrics.meteor.lexicon import Lexicon
from metrics_plugins.text.porter2 import stem
from metrics_plugins.text.sorting import mark_changes

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]

EXACT, STEM, SYNONYM, PARAPHRASE, PARAPHRASED = range(5)
"""The stages in their order; in the last one the candidate has the phrase and the reference its paraphrase."""

_SLOTS_PER_PAIR = 8


@dataclass(frozen=True, slots=True, eq=False)
class RelationTable:
    """The relations between spans of references and spans of candidates.

    Attributes:
        reference_codes: `(n_spans,)`: the hash of each span as one of a reference; the slot of a pair in the hash table
            is given by the sum of the hashes of both spans.
        candidate_codes: `(n_spans,)`: the hash of each span as one of a candidate.
        slots: `(n_slots + 1,)`, n_slots a power of two: the first pair in each slot.
        keys: `(n_pairs,)`: both spans of each related pair as one number, in the order of slots.
        offsets: `(n_pairs + 1,)`: pair p has the relations `offsets[p]` to `offsets[p + 1]`, in the order of stages.
        stages: `(n_relations,)`: the stage of each relation.
        edges: `(n_relations,)`: the edge of the paraphrase in the lexicon, 0 in other stages.
    """

    reference_codes: npt.NDArray[np.uint32]
    candidate_codes: npt.NDArray[np.uint32]
    slots: Int32
    keys: Int64
    offsets: Int64
    stages: npt.NDArray[np.int8]
    edges: Int32

    def find_pairs(self, references: Int32, candidates: Int32) -> tuple[Int64, Int64]:
        """Return the positions of the related ones among these pairs of spans, ascending, and their numbers here."""
        codes = self.reference_codes[references]
        codes += self.candidate_codes[candidates]
        codes &= np.uint32(len(self.slots) - 2)
        pairs = self.slots[codes]
        asked = np.flatnonzero(pairs != self.slots[codes + np.uint32(1)])
        pairs, stops = pairs[asked].astype(np.int64), self.slots[codes[asked] + np.uint32(1)]
        wanted = references[asked].astype(np.int64) * len(self.reference_codes) + candidates[asked]
        found_asked, found_pairs = [], []
        while len(asked):
            is_found = self.keys[pairs] == wanted
            found_asked.append(asked[is_found])
            found_pairs.append(pairs[is_found])
            pairs = pairs + 1
            open_ = ~is_found & (pairs < stops)
            asked, pairs, stops, wanted = asked[open_], pairs[open_], stops[open_], wanted[open_]
        places = np.concatenate([np.zeros(0, dtype=np.int64), *found_asked])
        order = np.argsort(places, kind="stable")
        return places[order], np.concatenate([np.zeros(0, dtype=np.int64), *found_pairs])[order]


def relate_spans(captions: CaptionTable, lexicon: Lexicon) -> RelationTable:
    """Return all relations between the spans of these captions."""
    words = captions.tokens.words
    word_hashes, stem_hashes = hash_words(words), hash_words([stem(word) for word in words])
    exact = _pair_members(word_hashes, np.arange(len(words)))
    stems = _pair_members(stem_hashes, np.arange(len(words)))
    synonyms = _pair_members(*_list_synsets(words, lexicon))
    sources, targets, edges = captions.edges
    stages = [
        (EXACT, *exact),
        (STEM, *_keep_different(stems, word_hashes)),
        (SYNONYM, *_keep_different(synonyms, word_hashes)),
        (PARAPHRASE, sources, targets),
        (PARAPHRASED, targets, sources),
    ]
    references, candidates = (np.concatenate([part[side] for part in stages]) for side in (1, 2))
    n_unnumbered = len(references) - 2 * len(edges)
    return _make_table(
        references * len(captions.lengths) + candidates,
        np.concatenate([np.full(len(part[1]), part[0], dtype=np.int8) for part in stages]),
        np.concatenate([np.zeros(n_unnumbered, dtype=np.int64), edges, edges]).astype(np.int32),
        n_spans=len(captions.lengths),
    )


def _make_table(keys: Int64, stages: npt.NDArray[np.int8], edges: Int32, *, n_spans: int) -> RelationTable:
    n_slots = 1 << max(len(keys) * _SLOTS_PER_PAIR, 2).bit_length()
    # The hashes are arbitrary: they do not affect the result, and the time only slightly.
    rng = np.random.default_rng(0)
    reference_codes, candidate_codes = rng.integers(2**32, size=(2, n_spans), dtype=np.uint32)
    references, candidates = np.divmod(keys, max(n_spans, 1))
    codes = (reference_codes[references] + candidate_codes[candidates]) & np.uint32(n_slots - 1)
    order = np.lexsort((stages, keys, codes))
    keys, codes = keys[order], codes[order]
    firsts = np.flatnonzero(mark_changes(keys))
    counts = np.bincount(codes[firsts], minlength=n_slots)
    return RelationTable(
        reference_codes=reference_codes,
        candidate_codes=candidate_codes,
        slots=np.concatenate([np.zeros(1, dtype=np.int32), np.cumsum(counts, dtype=np.int32)]),
        keys=keys[firsts],
        offsets=np.append(firsts, len(keys)),
        stages=stages[order],
        edges=edges[order],
    )


def _list_synsets(words: Sequence[str], lexicon: Lexicon) -> tuple[Int64, Int64]:
    synsets = [lexicon.find_synsets(word) for word in words]
    counts = np.fromiter(map(len, synsets), dtype=np.int64, count=len(words))
    flat = np.fromiter((number for numbers in synsets for number in numbers), dtype=np.int64, count=int(counts.sum()))
    return flat, np.repeat(np.arange(len(words)), counts)


def _pair_members(groups: Int64, members: Int64) -> tuple[Int64, Int64]:
    """Return every ordered pair of members of the same group once, including each member with itself."""
    order = np.argsort(groups, kind="stable")
    groups, members = groups[order], members[order]
    firsts = np.flatnonzero(mark_changes(groups))
    sizes = np.diff(firsts, append=len(groups))
    partners = np.repeat(sizes, sizes)
    lefts = np.repeat(members, partners)
    starts = np.repeat(np.repeat(firsts, sizes) - np.cumsum(partners) + partners, partners)
    rights = members[starts + np.arange(len(starts))]
    n_members = int(members.max(initial=0)) + 1
    return np.divmod(np.unique(lefts * n_members + rights), n_members)


def _keep_different(pairs: tuple[Int64, Int64], hashes: Int64) -> tuple[Int64, Int64]:
    lefts, rights = pairs
    kept = hashes[lefts] != hashes[rights]
    return lefts[kept], rights[kept]

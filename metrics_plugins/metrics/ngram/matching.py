"""The n-grams that references share with the candidate of their row, for BLEU and CIDEr."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.text.ngrams import NgramTable, derive_ngrams
from metrics_plugins.text.sorting import mark_changes, sort_with_positions
from metrics_plugins.text.tokens import Int32, Int64, TokenTable, derive_words, name_tokenizer

Bools = npt.NDArray[np.bool_]

_ROWS_PER_BLOCK = 8192


@dataclass(frozen=True, slots=True, eq=False)
class MatchTable:
    """The distinct n-grams of one order that a reference shares with the candidate of its row.

    The entries of a reference are in the order in which the n-grams first occur in it, so a sum over them in this order
    depends only on the two captions.

    Attributes:
        slots: `(n_matches,)`: the reference, as a position in `batch.reference_rows.values`.
        ngrams: `(n_matches,)`: the number of the n-gram in its `NgramTable`.
        reference_counts: `(n_matches,)`: its count in the reference.
        candidate_counts: `(n_matches,)`: its count in the candidate.
        clipped: `(n_rows,)`: the sum over the candidate's n-grams of min(count there, largest count in one reference).
    """

    slots: Int32
    ngrams: Int32
    reference_counts: Int32
    candidate_counts: Int32
    clipped: Int64


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """The words of consecutive rows in one array: first all candidates, then all references, each in row order.

    Attributes:
        positions: `(n_words,)`: the position of each word among all words of the batch.
        rows: `(n_words,)`: the row of each word, counted from the first row of the block.
        slots: `(n_reference_words,)`: the reference of each word, for the words of references.
        n_rows: The number of rows.
    """

    positions: Int64
    rows: Int64
    slots: Int32
    n_rows: int

    @property
    def n_candidate_words(self) -> int:
        return len(self.positions) - len(self.slots)


def derive_matches(batch: Batch, tokenizer: Tokenizer, *, order: int) -> tuple[MatchTable, ...]:
    """Return the matches of orders 1 to `order` between every row's candidate and its references."""

    def match(view: Batch) -> tuple[MatchTable, ...]:
        words = derive_words(view, tokenizer)
        tables = derive_ngrams(view, tokenizer, order=order)
        blocks = [_match_block(block, tables) for block in _cut_blocks(view, words)]
        return tuple(_join(parts) for parts in zip(*blocks, strict=True))

    return batch.derive(("matches", name_tokenizer(tokenizer), order), match)


def _cut_blocks(batch: Batch, words: TokenTable) -> Iterator[_Block]:
    candidates, references = batch.candidate_rows, batch.reference_rows
    n_references, n_words = references.lengths, words.lengths
    for start in range(0, max(len(batch), 1), _ROWS_PER_BLOCK):
        stop = min(start + _ROWS_PER_BLOCK, len(batch))
        first, last = references.offsets[[start, stop]]
        texts = np.concatenate([candidates[start:stop], references.values[first:last]])
        rows = np.arange(stop - start)
        owners = np.concatenate([rows, np.repeat(rows, n_references[start:stop])])
        lengths = n_words[texts]
        yield _Block(
            positions=words.locate(texts),
            rows=np.repeat(owners, lengths),
            slots=np.repeat(np.arange(first, last, dtype=np.int32), lengths[len(rows) :]),
            n_rows=len(rows),
        )


def _match_block(block: _Block, tables: tuple[NgramTable, ...]) -> list[MatchTable]:
    matches = []
    alive = np.ones(len(block.positions), dtype=np.bool_)
    for order, table in enumerate(tables, start=1):
        if order > 1:
            # An n-gram is shared only if both of its parts are, so each order has fewer positions to check.
            alive[:-1] &= alive[1:]
        first_in_candidate = _find_shared(block, table, alive=alive)
        matches.append(_collect(block, table, first_in_candidate))
        alive = first_in_candidate >= 0
    return matches


def _find_shared(block: _Block, table: NgramTable, *, alive: Bools) -> Int32:
    """Return, for each position in the block, where the candidate first has its n-gram; -1 if it is not shared."""
    places = np.flatnonzero(alive)
    ids = table.ids[block.positions[places]]
    places, ids = places[ids >= 0], ids[ids >= 0]
    keys = block.rows[places] * len(table) + ids
    keys, places = sort_with_positions(keys, places, n_positions=len(block.positions))
    # Equal n-grams of a row are now adjacent, those of the candidate first.
    starts = np.flatnonzero(mark_changes(keys))
    sizes = np.diff(starts, append=len(keys))
    first, last = places[starts], places[starts + sizes - 1]
    is_shared = (first < block.n_candidate_words) & (last >= block.n_candidate_words)
    found = np.full(len(block.positions), -1, dtype=np.int32)
    found[places] = np.repeat(np.where(is_shared, first, -1), sizes)
    return found


def _collect(block: _Block, table: NgramTable, first_in_candidate: Int32) -> MatchTable:
    n_candidate_words = block.n_candidate_words
    counts = table.counts[block.positions]
    candidate_counts, reference_counts = counts[:n_candidate_words], counts[n_candidate_words:]
    found = first_in_candidate[n_candidate_words:]
    entries = np.flatnonzero((found >= 0) & (reference_counts > 0))
    found, reference_counts = found[entries], reference_counts[entries]
    largest = np.zeros(n_candidate_words, dtype=np.int32)
    np.maximum.at(largest, found, reference_counts)
    clipped = np.minimum(largest, candidate_counts)
    return MatchTable(
        slots=block.slots[entries],
        ngrams=table.ids[block.positions[n_candidate_words:][entries]],
        reference_counts=reference_counts,
        candidate_counts=candidate_counts[found],
        clipped=np.bincount(block.rows[:n_candidate_words], weights=clipped, minlength=block.n_rows).astype(np.int64),
    )


def _join(parts: tuple[MatchTable, ...]) -> MatchTable:
    return MatchTable(
        slots=np.concatenate([part.slots for part in parts]),
        ngrams=np.concatenate([part.ngrams for part in parts]),
        reference_counts=np.concatenate([part.reference_counts for part in parts]),
        candidate_counts=np.concatenate([part.candidate_counts for part in parts]),
        clipped=np.concatenate([part.clipped for part in parts]),
    )

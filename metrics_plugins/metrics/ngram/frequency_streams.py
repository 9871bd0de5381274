"""Document frequencies of more references than fit into memory: words in files, one order of n-grams at a time.

An n-gram of two images has parts that are in two images as well, so an order counts only the n-grams whose parts were
kept (R. Agrawal, R. Srikant (1994), Fast Algorithms for Mining Association Rules, VLDB). In memory are the distinct
words, the n-grams that are kept, and the words of one batch.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies, find_places
from metrics_plugins.text.sorting import mark_changes
from metrics_plugins.text.tokens import Int32, Int64, derive_words

_END: Final = -1
_NUMBERS_AT_ONCE: Final = 4_000_000
"""The counts of n-grams that are merged at a time: 12 bytes each, and as much again while they are sorted."""


def count_stream(
    batches: Iterable[Batch], tokenizer: Tokenizer, *, order: int, folder: Path, at_once: int = _NUMBERS_AT_ONCE
) -> DocumentFrequencies:
    """Count the n-grams of orders 1 to `order` in the references of all batches, as `count_documents` does for one.

    Args:
        batches: Each row is one image; read once.
        tokenizer: Splits captions into words.
        order: The largest order of n-grams.
        folder: An empty folder, in which four to twelve bytes a word are written.
        at_once: The number of counts that are merged at a time.
    """
    written = _write_words(batches, tokenizer, folder=folder)
    counted = _merge((_count_keys(block.read_words(), block) for block in written.blocks), folder, at_once=at_once)
    shared_words = [written.words[number] for number in counted.keys.tolist()]
    rank_of = {word: rank for rank, word in enumerate(sorted(shared_words))}
    ranks = np.array([rank_of[word] for word in shared_words], dtype=np.int64)
    in_order = np.argsort(ranks)
    keys, frequencies = [ranks[in_order]], [counted.frequencies[in_order]]
    word_ranks = np.full(len(written.words) + 1, -1, dtype=np.int64)
    word_ranks[counted.keys] = ranks
    for block in written.blocks:
        block.write_ranks(word_ranks[block.read_words()])
    for size in range(2, order + 1):
        n_words = len(rank_of)
        counted = _merge(
            (_count_keys(block.extend(word_ranks, size=size, n_words=n_words), block) for block in written.blocks),
            folder,
            at_once=at_once,
        )
        for block in written.blocks:
            extended = block.extend(word_ranks, size=size, n_words=n_words)
            block.write_ranks(np.where(extended < 0, -1, find_places(counted.keys, extended)))
        keys.append(counted.keys)
        frequencies.append(counted.frequencies)
    return DocumentFrequencies(
        n_images=written.n_images, words=tuple(rank_of), keys=tuple(keys), frequencies=tuple(frequencies)
    )


@dataclass(frozen=True, slots=True)
class _Block:
    """The words of the references of some images, in files; a caption ends with `_END`.

    Attributes:
        path: The file of the words; those of images and of ranks have its name with another ending.
        n_images: The number of images.
    """

    path: Path
    n_images: int

    def read_words(self) -> Int32:
        """Return `(n_places,)`: the number of each word."""
        return self._read(".words.npy")

    def read_images(self) -> Int32:
        """Return `(n_places,)`: the image of each word, counted from the first image of the block."""
        return self._read(".images.npy")

    def write_ranks(self, ranks: Int64) -> None:
        """Store `(n_places,)`: the rank of the n-gram that starts at each word, -1 if it is not kept."""
        np.save(self.path.with_suffix(".ranks.npy"), ranks.astype(np.int32))

    def extend(self, word_ranks: Int64, *, size: int, n_words: int) -> Int64:
        """Return `(n_places,)`: the key of the n-gram of `size` words that starts at each word, -1 if there is none.

        The stored ranks must be those of the order below.
        """
        ranks = self._read(".ranks.npy")
        keys = np.full(len(ranks), -1, dtype=np.int64)
        last = word_ranks[self.read_words()[size - 1 :]]
        prefixes = ranks[: len(last)].astype(np.int64)
        known = (prefixes >= 0) & (last >= 0)
        keys[: len(last)][known] = prefixes[known] * n_words + last[known]
        return keys

    def _read(self, ending: str) -> Int32:
        found: Int32 = np.load(self.path.with_suffix(ending))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    words: tuple[str, ...]
    blocks: tuple[_Block, ...]

    @property
    def n_images(self) -> int:
        return sum(block.n_images for block in self.blocks)


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """N-grams by ascending key, with the number of images that each is in."""

    keys: Int64
    frequencies: Int32


def _write_words(batches: Iterable[Batch], tokenizer: Tokenizer, *, folder: Path) -> _Written:
    numbers: dict[str, int] = {}
    blocks = []
    for index, batch in enumerate(batches):
        table = derive_words(batch, tokenizer)
        renumbered = np.array([numbers.setdefault(word, len(numbers)) for word in table.words], dtype=np.int32)
        references = batch.reference_rows
        lengths = table.lengths[references.values]
        words = np.full(int(lengths.sum()) + len(lengths), _END, dtype=np.int32)
        # The words of each caption, then one place for its end.
        ends = np.cumsum(lengths + 1) - 1
        is_word = np.ones(len(words), dtype=np.bool_)
        is_word[ends] = False
        words[is_word] = renumbered[table.ids[table.locate(references.values)]]
        block = _Block(folder / f"{index:06}", len(batch))
        np.save(block.path.with_suffix(".words.npy"), words)
        np.save(block.path.with_suffix(".images.npy"), np.repeat(references.row_of_value, lengths + 1).astype(np.int32))
        blocks.append(block)
    return _Written(tuple(numbers), tuple(blocks))


def _count_keys(keys: npt.NDArray[np.integer], block: _Block) -> _Counted:
    """Count the images of the block that each key of at least 0 is in."""
    places = np.flatnonzero(keys >= 0)
    distinct, numbers = np.unique(keys[places].astype(np.int64), return_inverse=True)
    pairs = np.unique(numbers * np.int64(max(block.n_images, 1)) + block.read_images()[places])
    counts = np.bincount(pairs // max(block.n_images, 1), minlength=len(distinct))
    return _Counted(distinct, counts.astype(np.int32))


def _merge(parts: Iterable[_Counted], folder: Path, *, at_once: int) -> _Counted:
    """Add the counts of several parts, and return those of at least 2."""
    runs = [_write_run(part, folder / f"run-{index:06}") for index, part in enumerate(parts)]
    kept = [_add(pieces) for pieces in _cut_ranges(runs, at_once=at_once)]
    for run in runs:
        run.unlink()
    if not kept:
        return _Counted(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32))
    return _Counted(np.concatenate([each.keys for each in kept]), np.concatenate([each.frequencies for each in kept]))


_RUN: Final = np.dtype([("key", "<i8"), ("count", "<i4")])


def _write_run(part: _Counted, path: Path) -> Path:
    rows = np.empty(len(part.keys), dtype=_RUN)
    rows["key"], rows["count"] = part.keys, part.frequencies
    rows.tofile(path)
    return path


def _cut_ranges(runs: Sequence[Path], *, at_once: int) -> Iterator[list[npt.NDArray[np.void]]]:
    """Yield the rows of all runs in ranges of ascending keys, about `at_once` rows in each."""
    sizes = [run.stat().st_size // _RUN.itemsize for run in runs]
    starts = [0] * len(runs)
    step = max(at_once // max(len(runs), 1), 1)
    while any(start < size for start, size in zip(starts, sizes, strict=True)):
        heads = [
            np.fromfile(run, dtype=_RUN, count=step, offset=start * _RUN.itemsize)
            for run, start in zip(runs, starts, strict=True)
        ]
        # Up to the smallest of the last keys that were read, no run holds a key that was not read.
        unread = [
            head["key"][-1] for head, start, size in zip(heads, starts, sizes, strict=True) if start + len(head) < size
        ]
        stops = [
            int(np.searchsorted(head["key"], min(unread), side="right")) if unread else len(head) for head in heads
        ]
        starts = [start + stop for start, stop in zip(starts, stops, strict=True)]
        yield [head[:stop] for head, stop in zip(heads, stops, strict=True)]


def _add(pieces: Sequence[npt.NDArray[np.void]]) -> _Counted:
    rows = np.concatenate(pieces)
    order = np.argsort(rows["key"], kind="stable")
    keys, counts = rows["key"][order], rows["count"][order]
    firsts = np.flatnonzero(mark_changes(keys))
    totals = np.add.reduceat(counts, firsts) if len(firsts) else counts
    shared = totals > 1
    return _Counted(keys[firsts[shared]].astype(np.int64), totals[shared].astype(np.int32))

"""The n-grams of a batch, numbered exactly (no hashing) and counted once for all metrics."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.text.sorting import mark_changes, sort_with_positions
from metrics_plugins.text.tokens import Int32, Int64, TokenTable, derive_words, name_tokenizer

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class NgramTable:
    """The n-grams of one order in every distinct caption of a batch, aligned with the stream of words.

    Two n-grams of the batch have the same number if and only if they are equal. Numbers have no meaning outside it.

    Attributes:
        ids: `(n_tokens,)`: the number of the n-gram that starts at each word, -1 if it would exceed the caption.
        counts: `(n_tokens,)`: the count of that n-gram in its caption, at its first occurrence; 0 elsewhere.
        prefixes: `(n_ngrams,)`: the number, one order below, of each n-gram without its last word; 0 for words.
        last_words: `(n_ngrams,)`: the word number of each n-gram's last word.
    """

    ids: Int32
    counts: Int32
    prefixes: Int32
    last_words: Int32

    def __len__(self) -> int:
        return len(self.last_words)


def derive_ngrams(batch: Batch, tokenizer: Tokenizer, *, order: int) -> tuple[NgramTable, ...]:
    """Return the n-gram tables of orders 1 to `order`."""
    words = derive_words(batch, tokenizer)

    def number(n: int) -> NgramTable:
        shorter = derive(n - 1) if n > 1 else None
        return number_ngrams(words, shorter=shorter, order=n)

    def derive(n: int) -> NgramTable:
        return batch.derive_texts(("ngrams", name_tokenizer(tokenizer), n), lambda _: number(n))

    return tuple(derive(n) for n in range(1, order + 1))


def number_ngrams(words: TokenTable, *, shorter: NgramTable | None, order: int) -> NgramTable:
    """Number and count the n-grams of one order, given those of the order below (None for order 1)."""
    n_tokens, n_words = len(words.ids), max(len(words.words), 1)
    if shorter is None:
        starts, keys = np.arange(n_tokens), words.ids.astype(np.int64)
    else:
        starts = np.flatnonzero(_has_room(words, shorter))
        keys = shorter.ids[starts].astype(np.int64) * n_words + words.ids[starts + (order - 1)]
    keys, starts = sort_with_positions(keys, starts, n_positions=n_tokens)
    is_new = mark_changes(keys)
    ids = np.full(n_tokens, -1, dtype=np.int32)
    ids[starts] = np.cumsum(is_new, dtype=np.int32) - 1
    prefixes, last_words = np.divmod(keys[is_new], n_words)
    return NgramTable(
        ids=ids,
        counts=_count_in_text(words, starts, is_new=is_new),
        prefixes=prefixes.astype(np.int32),
        last_words=last_words.astype(np.int32),
    )


def _has_room(words: TokenTable, shorter: NgramTable) -> Bools:
    # An n-gram can be extended if the shorter n-gram is followed by a word of the same caption.
    room = shorter.ids >= 0
    room[:-1] &= room[1:]
    room[words.offsets[1:][words.lengths > 0] - 1] = False
    return room


def _count_in_text(words: TokenTable, starts: Int64, *, is_new: Bools) -> Int32:
    # Positions of equal n-grams are sorted, so those in one caption are adjacent, with the first occurrence first.
    firsts = np.flatnonzero(is_new | mark_changes(words.text_of_token[starts]))
    counts = np.zeros(len(words.ids), dtype=np.int32)
    counts[starts[firsts]] = np.diff(firsts, append=len(starts))
    return counts

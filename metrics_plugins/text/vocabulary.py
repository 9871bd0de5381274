"""Vocabularies of networks over words, and captions encoded as rows of word numbers."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, Self, TypeAlias

import numpy as np

from metrics_plugins.text.tokens import Int64

MARKS: Final = ("<pad>", "<unk>", "<sos>", "<eos>")
PAD, UNKNOWN, START, END = range(4)

Long: TypeAlias = Literal["cut", "paper"]
"""The treatment of too long captions: they are truncated, or get no end and a zero vector, as in Cui et al. (2018)."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedCaptions:
    """Captions as word numbers.

    Attributes:
        ids: `(n_captions, n_steps)`, padded with `PAD`.
        ends: `(n_captions,)`: the position of `<eos>`; -1 for a caption without it, whose vector is zero.
    """

    ids: Int64
    ends: Int64

    def __len__(self) -> int:
        return len(self.ends)

    def take(self, rows: Int64) -> "EncodedCaptions":
        """Return the selected captions, in the given order."""
        return EncodedCaptions(self.ids[rows], self.ends[rows])

    def trim(self) -> "EncodedCaptions":
        """Return the captions without the steps after the last `<eos>`, which do not affect any vector."""
        return EncodedCaptions(self.ids[:, : max(int(self.ends.max(initial=-1)) + 1, 1)], self.ends)


@dataclass(frozen=True)
class Vocabulary:
    """Words by number, following the four special tokens.

    Attributes:
        words: Distinct words without the special tokens, sorted by descending frequency.
    """

    words: tuple[str, ...]

    @classmethod
    def count(cls, lines: Iterable[str], *, size: int | None = None, min_count: int = 1) -> Self:
        """Return the most frequent words of lines, with ties in alphabetical order.

        Args:
            lines: Tokens joined by spaces.
            size: The maximum number of words; None for all.
            min_count: Words that occur less often are left out.
        """
        frequencies = Counter(word for line in lines for word in line.split())
        ordered = sorted(frequencies, key=lambda word: (-frequencies[word], word))
        kept = tuple(word for word in ordered if word not in MARKS and frequencies[word] >= min_count)
        return cls(kept[:size])

    def __len__(self) -> int:
        return len(MARKS) + len(self.words)

    @cached_property
    def _number_of(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=len(MARKS))}

    def encode(self, lines: Sequence[str], *, steps: int, long: Long) -> EncodedCaptions:
        """Return captions as word numbers, each followed by `<eos>`.

        A caption with at least as many words as there are steps has no room for `<eos>`. With `cut` it is truncated to
        make room; with `paper` it has no `<eos>`, as have empty captions, so that their vectors are zero, as in the
        code of Cui et al. (2018).
        """
        ids = np.full((len(lines), steps), PAD, dtype=np.int64)
        ends = np.full(len(lines), -1, dtype=np.int64)
        number_of = self._number_of
        for row, line in enumerate(lines):
            numbers = [number_of.get(word, UNKNOWN) for word in line.split()]
            if long == "cut":
                numbers = numbers[: steps - 1]
            if len(numbers) < steps and (numbers or long == "cut"):
                ends[row] = len(numbers)
                numbers.append(END)
            ids[row, : len(numbers)] = numbers[:steps]
        return EncodedCaptions(ids, ends)

"""The words that a critic knows, and captions as rows of word numbers."""

import string
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np

from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.critics.lstm.model.settings import Long
from metrics_plugins.text.tokens import Int64

MARKS: Final = ("<pad>", "<unk>", "<sos>", "<eos>")
PAD, UNKNOWN, _, END = range(4)
TOKENIZER: Final = "nltk-words"


def split_captions(captions: Sequence[str], tokenizer: Tokenizer) -> list[str]:
    """Return one line per caption: its tokens joined by blanks, without those that are a piece of ASCII punctuation.

    A token goes when it is a substring of Python's `string.punctuation`, as in the code of Cui et al. (2018): `.` and
    `()` do, `...` and `''` stay.
    """
    lines = tokenizer.tokenize(captions)
    return [" ".join(token for token in line.split(" ") if token not in string.punctuation) for line in lines]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedCaptions:
    """Captions as word numbers.

    Attributes:
        ids: `(n_captions, n_steps)`, filled up with `PAD`.
        ends: `(n_captions,)`: where `<eos>` stands; -1 for a caption without it, whose vector is zero.
    """

    ids: Int64
    ends: Int64

    def __len__(self) -> int:
        return len(self.ends)

    def take(self, rows: Int64) -> "EncodedCaptions":
        """Return the chosen captions, in the given order."""
        return EncodedCaptions(self.ids[rows], self.ends[rows])

    def trim(self) -> "EncodedCaptions":
        """Return the captions without the steps after the last `<eos>`, which change no vector."""
        return EncodedCaptions(self.ids[:, : max(int(self.ends.max(initial=-1)) + 1, 1)], self.ends)


@dataclass(frozen=True)
class Vocabulary:
    """Words by number, after the four marks.

    Attributes:
        words: Distinct, without the marks; the most frequent first.
    """

    words: tuple[str, ...]

    @classmethod
    def count(cls, lines: Iterable[str], *, size: int) -> Self:
        """Return the most frequent words of lines; ties in alphabetical order."""
        frequencies = Counter(word for line in lines for word in line.split())
        ordered = sorted(frequencies, key=lambda word: (-frequencies[word], word))
        return cls(tuple(word for word in ordered if word not in MARKS)[:size])

    def __len__(self) -> int:
        return len(MARKS) + len(self.words)

    @cached_property
    def _number_of(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=len(MARKS))}

    def encode(self, lines: Sequence[str], *, steps: int, long: Long) -> EncodedCaptions:
        """Return captions as word numbers, each ended by `<eos>`.

        A caption of as many words as there are steps, or more, has no room for its end. With `cut` it is cut so that it
        has; with `paper` it has no `<eos>`, and neither has an empty caption, as in the code of Cui et al. (2018), so
        that their vectors are zero.
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

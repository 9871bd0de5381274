"""The captions of a batch as one array of word numbers, shared by all metrics that count words."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import cast

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import Tokenizer

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]

_LINES_PER_BLOCK = 4096


@dataclass(frozen=True, slots=True, eq=False)
class TokenTable:
    """The tokens of every distinct caption of a batch.

    Attributes:
        words: The distinct tokens by number; some may not occur.
        ids: `(n_tokens,)`: the word number of each token, in the order of captions.
        offsets: `(n_texts + 1,)`: caption t is `ids[offsets[t]:offsets[t + 1]]`.
    """

    words: tuple[str, ...]
    ids: Int32
    offsets: Int64

    @property
    def lengths(self) -> Int64:
        """`(n_texts,)`: the number of tokens of each caption."""
        return np.diff(self.offsets)

    @property
    def text_of_token(self) -> Int32:
        """`(n_tokens,)`: the caption that each token belongs to."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), self.lengths)

    def locate(self, texts: Int64) -> Int64:
        """Return the positions in `ids` of all tokens of these captions, one caption after the other."""
        starts = self.offsets[texts]
        lengths = self.offsets[texts + 1] - starts
        ends = np.cumsum(lengths)
        places = np.repeat(starts - ends + lengths, lengths)
        places += np.arange(len(places))
        return places


def name_tokenizer(tokenizer: Tokenizer) -> Hashable:
    """Return a key that identifies a tokeniser's output in the names of derived features."""
    return (tokenizer.name, tokenizer.version)


def derive_tokens(batch: Batch, tokenizer: Tokenizer) -> TokenTable:
    """Return the tokens between the spaces in the tokeniser's output; a caption without tokens has the one token ""."""
    return batch.derive_texts(
        ("tokens", name_tokenizer(tokenizer)), lambda texts: split_at_blanks(tokenizer.tokenize(texts))
    )


def derive_words(batch: Batch, tokenizer: Tokenizer) -> TokenTable:
    """Return the tokens, split again at any white space inside them; a caption without tokens has no words."""
    tokens = derive_tokens(batch, tokenizer)
    return batch.derive_texts(("words", name_tokenizer(tokenizer)), lambda _: split_at_white_space(tokens))


def split_at_blanks(lines: Sequence[str]) -> TokenTable:
    """Return the tokens between single spaces; an empty line is one empty token."""
    numbers: defaultdict[str, int] = defaultdict(cast("type[int]", count().__next__))
    lengths = np.fromiter((line.count(" ") + 1 for line in lines), dtype=np.int64, count=len(lines))
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
    ids = np.empty(offsets[-1], dtype=np.int32)
    # In blocks, because a list of str objects needs ten times the memory of the caption.
    for start in range(0, len(lines), _LINES_PER_BLOCK):
        tokens = " ".join(lines[start : start + _LINES_PER_BLOCK]).split(" ")
        first = int(offsets[start])
        ids[first : first + len(tokens)] = np.fromiter(map(numbers.__getitem__, tokens), np.int32, len(tokens))
    return TokenTable(words=tuple(numbers), ids=ids, offsets=offsets)


def split_at_white_space(tokens: TokenTable) -> TokenTable:
    """Return the tokens split as `str.split` does: at U+00A0 inside a mixed fraction too, and without empty ones."""
    odd_words = {number: word.split() for number, word in enumerate(tokens.words) if word.split() != [word]}
    if not odd_words:
        return tokens
    # There are few such tokens, so only these are replaced.
    is_odd = np.zeros(len(tokens.words), dtype=np.bool_)
    is_odd[list(odd_words)] = True
    places = np.flatnonzero(is_odd[tokens.ids])
    numbers = {word: number for number, word in enumerate(tokens.words)}
    pieces = Ragged.from_rows(
        [[numbers.setdefault(piece, len(numbers)) for piece in odd_words[int(token)]] for token in tokens.ids[places]]
    )
    gaps = np.repeat(places - np.arange(len(places)), pieces.lengths)
    growth = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(pieces.lengths - 1)])
    return TokenTable(
        words=tuple(numbers),
        ids=np.insert(np.delete(tokens.ids, places), gaps, pieces.values),
        offsets=tokens.offsets + growth[np.searchsorted(places, tokens.offsets)],
    )

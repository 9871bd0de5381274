"""Captions as bags of the words that have vectors."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from metrics_plugins.api import Batch
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.word_movers.stop_words import ENGLISH
from metrics_plugins.text.tokens import Int64, TokenTable, derive_words, name_tokenizer

StopWords: TypeAlias = Literal["english", "none"]

_LISTS: Final[dict[StopWords, frozenset[str]]] = {"english": ENGLISH, "none": frozenset()}


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """The distinct words of a text with their counts, in alphabetical order.

    Attributes:
        ids: `(n_words,)`: the row of each word in `WordBags.vectors`, ascending.
        counts: `(n_words,)`: at least 1 each.
    """

    ids: Int64
    counts: Int64

    @property
    def shares(self) -> Values:
        """`(n_words,)`: the relative frequency of each word; they sum to 1."""
        shares: Values = self.counts / self.counts.sum()
        return shares


@dataclass(frozen=True, slots=True, eq=False)
class WordBags:
    """The words of every distinct caption of a batch, without stop words and words without vectors.

    Attributes:
        vectors: `(n_words, dimension)`: the vectors of the remaining words, in alphabetical order.
        offsets: `(n_texts + 1,)`: caption t has `ids[offsets[t]:offsets[t + 1]]`.
        ids: `(n_entries,)`: the words of each caption, ascending and unique.
        counts: `(n_entries,)`: the count of each word in the caption.
    """

    vectors: Values
    offsets: Int64
    ids: Int64
    counts: Int64

    def get(self, text: int) -> Bag:
        """Return the words of one caption."""
        chosen = slice(self.offsets[text], self.offsets[text + 1])
        return Bag(ids=self.ids[chosen], counts=self.counts[chosen])

    def pool(self, texts: Int64) -> Bag:
        """Return the words of several captions together; a caption given twice counts twice."""
        bags = [self.get(int(text)) for text in texts]
        if not bags:
            return Bag(ids=self.ids[:0], counts=self.counts[:0])
        ids, places = np.unique(np.concatenate([bag.ids for bag in bags]), return_inverse=True)
        counts = np.bincount(places, weights=np.concatenate([bag.counts for bag in bags]), minlength=len(ids))
        return Bag(ids=ids, counts=counts.astype(np.int64))


def derive_bags(batch: Batch, tokenizer: Tokenizer, *, stop_words: StopWords, vectors: Encoder) -> WordBags:
    """Return the words of a batch's captions; each distinct word is looked up once."""
    words = derive_words(batch, tokenizer)
    name = ("word bags", name_tokenizer(tokenizer), stop_words, vectors.name, vectors.digest)
    return batch.derive_texts(name, lambda _: _fill_bags(words, stop_words=_LISTS[stop_words], vectors=vectors))


def _fill_bags(words: TokenTable, *, stop_words: frozenset[str], vectors: Encoder) -> WordBags:
    sought = sorted(set(words.words) - stop_words)
    found = vectors.encode(sought).astype(np.float64)
    is_known = np.isfinite(found.sum(axis=1))
    # Words are numbered alphabetically, so that other captions cannot affect their order.
    known = [sought[place] for place in np.flatnonzero(is_known)]
    number_of = {word: number for number, word in enumerate(known)}
    numbers = np.fromiter((number_of.get(word, -1) for word in words.words), np.int64, len(words.words))
    ids = numbers[words.ids]
    kept = ids >= 0
    keys, counts = np.unique(
        words.text_of_token[kept].astype(np.int64) * max(len(known), 1) + ids[kept], return_counts=True
    )
    texts, entries = np.divmod(keys, max(len(known), 1))
    return WordBags(
        vectors=found[is_known],
        offsets=np.searchsorted(texts, np.arange(len(words.lengths) + 1)),
        ids=entries,
        counts=counts,
    )

"""Document frequencies for CIDEr: the number of images whose references contain each n-gram."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.text.ngrams import NgramTable, derive_ngrams
from metrics_plugins.text.sorting import mark_changes
from metrics_plugins.text.tokens import Int32, Int64, TokenTable, derive_words, name_tokenizer

_ROWS_PER_BLOCK = 8192
COUNTED: Final = str(FitsOn.REFERENCES)


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFrequencies:
    """The number of images with an n-gram in at least one reference, for n-grams of at least two images.

    CIDEr weights an n-gram of one image like an unknown one, so most n-grams of a corpus need not be stored. The parts
    of a stored n-gram are stored too, so it is identified by its first n - 1 words, as an n-gram, and its last word.

    Attributes:
        n_images: The number of images counted.
        words: The words in the order of their code points; the rank of a word is its position here.
        keys: For each order n, `(n_ngrams,)` ascending: the rank of the n-gram without its last word among those of
            order n - 1 (0 for words), times the number of words, plus the rank of the last word.
        frequencies: For each order n, `(n_ngrams,)`: the number of images, at least 2, aligned with `keys`.
        source: The source of the counts, as printed in signatures: references, or the digest of a file.
    """

    n_images: int
    words: tuple[str, ...] = field(repr=False)
    keys: tuple[Int64, ...] = field(repr=False)
    frequencies: tuple[Int32, ...] = field(repr=False)
    source: str = COUNTED


def count_documents(batch: Batch, tokenizer: Tokenizer, *, order: int) -> DocumentFrequencies:
    """Count the n-grams of orders 1 to `order` in the references of a batch; each row is one image."""

    def count(view: Batch) -> DocumentFrequencies:
        words = derive_words(view, tokenizer)
        tables = derive_ngrams(view, tokenizer, order=order)
        counted = _count_rows(view, words, tables)
        documents = _keep_shared(len(view), words, tables, counted)
        # The batch used for fitting is often scored next, and need not look the frequencies up again.
        view.derive_texts(("document frequencies", documents), lambda _: tuple(np.maximum(n, 1) for n in counted))
        return documents

    return batch.derive(("document frequencies", name_tokenizer(tokenizer), order), count)


def derive_frequencies(batch: Batch, tokenizer: Tokenizer, documents: DocumentFrequencies) -> tuple[Int32, ...]:
    """Return, for each order, `(n_ngrams,)`: the frequency of each n-gram of the batch, 1 for an unknown one."""
    words = derive_words(batch, tokenizer)
    tables = derive_ngrams(batch, tokenizer, order=len(documents.keys))
    return batch.derive_texts(("document frequencies", documents), lambda _: look_up(documents, words, tables))


def look_up(documents: DocumentFrequencies, words: TokenTable, tables: tuple[NgramTable, ...]) -> tuple[Int32, ...]:
    """Return, for each order, `(n_ngrams,)`: the frequency of each n-gram of the tables, 1 for an unknown one."""
    rank_of = {word: rank for rank, word in enumerate(documents.words)}
    word_ranks = np.fromiter((rank_of.get(word, -1) for word in words.words), np.int64, len(words.words))
    shorter_ranks = np.zeros(1, dtype=np.int64)
    looked_up = []
    for table, keys, frequencies in zip(tables, documents.keys, documents.frequencies, strict=True):
        ranks = np.full(len(table), -1, dtype=np.int64)
        found_frequencies = np.ones(len(table), dtype=np.int32)
        prefix_ranks, last_ranks = shorter_ranks[table.prefixes], word_ranks[table.last_words]
        sought = np.flatnonzero((prefix_ranks >= 0) & (last_ranks >= 0))
        places = find_places(keys, prefix_ranks[sought] * len(documents.words) + last_ranks[sought])
        known, places = sought[places >= 0], places[places >= 0]
        ranks[known] = places
        found_frequencies[known] = frequencies[places]
        looked_up.append(found_frequencies)
        shorter_ranks = ranks
    return tuple(looked_up)


def find_places(keys: Int64, sought: Int64) -> Int64:
    """Return `(n_sought,)`: the position of each number in ascending keys, -1 if it is not among them."""
    if not len(keys):
        return np.full(len(sought), -1, dtype=np.int64)
    places = np.minimum(np.searchsorted(keys, sought), len(keys) - 1)
    return np.where(keys[places] == sought, places, -1)


def _count_rows(batch: Batch, words: TokenTable, tables: tuple[NgramTable, ...]) -> list[Int32]:
    references, n_words = batch.reference_rows, words.lengths
    counted = [np.zeros(len(table), dtype=np.int32) for table in tables]
    for start in range(0, len(batch), _ROWS_PER_BLOCK):
        rows = references.take(np.arange(start, min(start + _ROWS_PER_BLOCK, len(batch))))
        places = words.locate(rows.values)
        row_of_place = np.repeat(rows.row_of_value, n_words[rows.values])
        for table, counts in zip(tables, counted, strict=True):
            stands_first = table.counts[places] > 0
            keys = table.ids[places[stands_first]].astype(np.int64) * len(rows) + row_of_place[stands_first]
            keys.sort()
            ids = keys[mark_changes(keys)] // len(rows)
            firsts = np.flatnonzero(mark_changes(ids))
            counts[ids[firsts]] += np.diff(firsts, append=len(ids)).astype(np.int32)
    return counted


def _keep_shared(
    n_images: int, words: TokenTable, tables: tuple[NgramTable, ...], counted: list[Int32]
) -> DocumentFrequencies:
    shared_words = [words.words[word] for word in tables[0].last_words[counted[0] > 1]]
    rank_of = {word: rank for rank, word in enumerate(sorted(shared_words))}
    word_ranks = np.fromiter((rank_of.get(word, -1) for word in words.words), np.int64, len(words.words))
    shorter_ranks = np.zeros(1, dtype=np.int64)
    kept_keys, kept_frequencies = [], []
    for table, counts in zip(tables, counted, strict=True):
        shared = np.flatnonzero(counts > 1)
        keys = shorter_ranks[table.prefixes[shared]] * len(rank_of) + word_ranks[table.last_words[shared]]
        in_order = np.argsort(keys)
        kept_keys.append(keys[in_order])
        kept_frequencies.append(counts[shared[in_order]])
        shorter_ranks = np.full(len(table), -1, dtype=np.int64)
        shorter_ranks[shared[in_order]] = np.arange(len(shared))
    return DocumentFrequencies(
        n_images=n_images, words=tuple(rank_of), keys=tuple(kept_keys), frequencies=tuple(kept_frequencies)
    )

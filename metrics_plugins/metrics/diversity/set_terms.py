"""The n-grams in each caption of a set, which all metrics of caption sets count."""

from dataclasses import dataclass

import numpy as np

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.diversity.caption_sets import CaptionSets, derive_caption_sets
from metrics_plugins.text.ngrams import NgramTable, derive_ngrams
from metrics_plugins.text.sorting import mark_changes, sort_with_positions
from metrics_plugins.text.tokens import Int32, Int64, TokenTable, derive_words, name_tokenizer


@dataclass(frozen=True, slots=True, eq=False)
class SetTerms:
    """The distinct n-grams of one order in every slot of the caption sets (`CaptionSets`).

    A term is an n-gram in a set. Terms are numbered by set, and within a set by first occurrence in sorted captions;
    entries follow the words of the slots. Sums over terms or entries in this order therefore depend only on the set.

    Attributes:
        slots: `(n_entries,)`: the slot.
        terms: `(n_entries,)`: the term, once for each slot that contains it.
        counts: `(n_entries,)`: the number of occurrences in the slot.
        ngrams: `(n_terms,)`: the number of the n-gram in its `NgramTable`.
        sets: `(n_terms,)`: the set.
    """

    slots: Int64
    terms: Int64
    counts: Int32
    ngrams: Int32
    sets: Int64

    def __len__(self) -> int:
        return len(self.ngrams)

    def group_entries(self, caption_sets: CaptionSets) -> Ragged:
        """Return the positions of the entries of each set."""
        offsets = np.searchsorted(self.slots, caption_sets.rows.offsets)
        return Ragged(offsets=offsets, values=np.arange(len(self.slots)))


def derive_set_terms(batch: Batch, tokenizer: Tokenizer, *, order: int) -> tuple[SetTerms, ...]:
    """Return the terms of orders 1 to `order` of the batch's caption sets."""

    def collect(view: Batch, n: int) -> SetTerms:
        table = derive_ngrams(view, tokenizer, order=n)[-1]
        return collect_terms(derive_caption_sets(view), derive_words(view, tokenizer), table)

    def derive(n: int) -> SetTerms:
        return batch.derive(("set terms", name_tokenizer(tokenizer), n), lambda view: collect(view, n))

    return tuple(derive(n) for n in range(1, order + 1))


def collect_terms(caption_sets: CaptionSets, words: TokenTable, table: NgramTable) -> SetTerms:
    """Return the terms of one order of caption sets."""
    texts = caption_sets.rows.values
    places = words.locate(texts)
    entries = np.flatnonzero(table.counts[places] > 0)
    places, slots = places[entries], np.repeat(np.arange(len(texts)), words.lengths[texts])[entries]
    ngrams, sets = table.ids[places], caption_sets.set_of_slot[slots]
    keys, positions = sort_with_positions(sets * len(table) + ngrams, np.arange(len(places)), n_positions=len(places))
    is_new = mark_changes(keys)
    # N-gram numbers depend on the batch, so terms are ordered by first occurrence instead.
    firsts = positions[is_new]
    stands_first = np.zeros(len(places), dtype=np.bool_)
    stands_first[firsts] = True
    numbers = np.cumsum(stands_first) - 1
    terms = np.empty(len(places), dtype=np.int64)
    terms[positions] = numbers[firsts][np.cumsum(is_new) - 1]
    return SetTerms(
        slots=slots,
        terms=terms,
        counts=table.counts[places],
        ngrams=ngrams[stands_first],
        sets=sets[stands_first],
    )

"""mBLEU: the BLEU of each caption of a set against the others, which is low for diverse sets."""

from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.diversity import cards
from metrics_plugins.metrics.diversity.caption_sets import CaptionSets, derive_caption_sets
from metrics_plugins.metrics.diversity.set_terms import SetTerms, derive_set_terms
from metrics_plugins.metrics.ngram.bleu import MAX_ORDER, Bleu, Bleu1, Bleu2, Bleu3, Bleu4
from metrics_plugins.text.tokens import Int64, derive_words, name_tokenizer

_BLEUS: Final[tuple[type[Bleu], ...]] = (Bleu1, Bleu2, Bleu3, Bleu4)
_CITATION: Final = "Wang et al. (2020), On diversity in image captioning: metrics and methods"
_CORPUS_CITATION: Final = "Shetty et al. (2017), Speaking the same language: matching machine to human captions"


@dataclass(frozen=True, kw_only=True)
class _OverOthers(Metric):
    """The common base of all mBLEU metrics: a tokeniser, and the closest length of another caption."""

    tokenizer: Tokenizer = tokenizer_parameter()

    def describe(self) -> dict[str, SignatureValue]:
        return {**super().describe(), "len": "closest"}


class MBleu(_OverOthers):
    """Mean over the captions of a set of the BLEU-N of each against all others (Wang et al. 2020), within [0, 1].

    With the constants and the closest length of `bleu-1` to `bleu-4`. Lower is more diverse. A set of fewer than two
    captions has no score (NaN). The order of captions and other sets never affect the score.
    """

    order: ClassVar[int]

    def __init_subclass__(cls, *, order: int | None = None, **options: object) -> None:
        super().__init_subclass__(**options)
        if order is not None:
            cls.order = order
            cls.info = _declare(order)

    def score(self, batch: Batch) -> Scores:
        counts = derive_counts(batch, self.tokenizer)
        return Scores(keys=batch.keys, values=_average(batch, counts, self.tokenizer, order=self.order))


class MBleuMix(_OverOthers):
    """1 minus the mean of mBLEU-1 to mBLEU-4 (Wang et al. 2020), within [0, 1]; higher is more diverse.

    The authors' code prints the mean itself. A set of fewer than two captions has no score (NaN).
    """

    info = MetricInfo(
        id="mbleu-mix",
        title="mBLEU-mix",
        level=Level.SET,
        inputs=frozenset({Input.CAPTION_SET}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation=_CITATION,
        card=cards.MBLEU_MIX,
    )

    def score(self, batch: Batch) -> Scores:
        counts = derive_counts(batch, self.tokenizer)
        orders = [_average(batch, counts, self.tokenizer, order=order) for order in range(1, MAX_ORDER + 1)]
        return Scores(keys=batch.keys, values=1 - sum(orders, start=np.zeros(len(batch))) / MAX_ORDER)


class MBleuCorpus(_OverOthers):
    """The mean, over i, of the corpus BLEU-N of a system's i-th captions against the others of their sets, in [0, 1].

    This is the other order of averaging: for each i, a corpus BLEU of all sets is computed from summed counts. The
    order of captions in their sets matters, and only systems have a score. It is a separate metric, because the system
    score of `mbleu-N` in published tables is the mean over sets. Sets of fewer than two captions do not count, and i
    runs up to the size of the largest set; a system without such sets has no score (NaN).
    """

    order: ClassVar[int]

    def __init_subclass__(cls, *, order: int | None = None, **options: object) -> None:
        super().__init_subclass__(**options)
        if order is not None:
            cls.order = order
            cls.info = _declare_corpus(order)

    def score(self, batch: Batch) -> Scores:
        caption_sets = derive_caption_sets(batch)
        counts = _choose_columns(derive_counts(batch, self.tokenizer), order=self.order)
        has_others = caption_sets.sizes[caption_sets.set_of_slot] >= 2
        places = caption_sets.places[has_others]
        n_places = int(places.max(initial=-1)) + 1
        totals = np.zeros((n_places, counts.shape[1]))
        np.add.at(totals, places, counts[has_others])
        values = _BLEUS[self.order - 1](tokenizer=self.tokenizer).reduce(totals)
        return Scores.make([Level.CORPUS], [values.mean() if n_places else np.nan])


def derive_counts(batch: Batch, tokenizer: Tokenizer) -> Values:
    """Return `(n_slots, 10)`: the BLEU counts of each caption with the other captions of its set as references.

    The columns are those of `ngram.bleu.derive_counts`: clipped matches of orders 1 to 4, n-grams of orders 1 to 4,
    words, words of the closest other (NaN where there is none).
    """

    def count(view: Batch) -> Values:
        caption_sets = derive_caption_sets(view)
        lengths = derive_words(view, tokenizer).lengths[caption_sets.rows.values]
        guessed = [np.maximum(lengths - n, 0) for n in range(MAX_ORDER)]
        terms = derive_set_terms(view, tokenizer, order=MAX_ORDER)
        correct = [_count_matches(of_order, n_slots=len(lengths)) for of_order in terms]
        return np.column_stack([*correct, *guessed, lengths, _find_closest_lengths(lengths, caption_sets)])

    return batch.derive(("mbleu counts", name_tokenizer(tokenizer)), count)


def _average(batch: Batch, counts: Values, tokenizer: Tokenizer, *, order: int) -> Values:
    bleu = _BLEUS[order - 1](tokenizer=tokenizer)
    return derive_caption_sets(batch).average(bleu.reduce(_choose_columns(counts, order=order)))


def _choose_columns(counts: Values, *, order: int) -> Values:
    columns = [*range(order), *range(MAX_ORDER, MAX_ORDER + order), -2, -1]
    return np.ascontiguousarray(counts[:, columns])


def _count_matches(terms: SetTerms, *, n_slots: int) -> Int64:
    """Return `(n_slots,)`: sum over a caption's n-grams of min(count in it, largest count in one other caption)."""
    largest = np.zeros(len(terms), dtype=np.int32)
    np.maximum.at(largest, terms.terms, terms.counts)
    is_largest = terms.counts == largest[terms.terms]
    n_largest = np.bincount(terms.terms[is_largest], minlength=len(terms))
    second = np.zeros(len(terms), dtype=np.int32)
    np.maximum.at(second, terms.terms[~is_largest], terms.counts[~is_largest])
    is_alone = is_largest & (n_largest[terms.terms] == 1)
    clipped = np.where(is_alone, second[terms.terms], terms.counts)
    return np.bincount(terms.slots, weights=clipped, minlength=n_slots).astype(np.int64)


def _find_closest_lengths(lengths: Int64, caption_sets: CaptionSets) -> Values:
    """Return `(n_slots,)`: the closest length of another caption, the shorter in a tie, NaN if there is none."""
    sets = caption_sets.set_of_slot
    in_order = np.lexsort((lengths, sets))
    # In a set sorted by length, the closest caption is a neighbour.
    ascending = lengths[in_order].astype(np.float64)
    gaps = np.diff(ascending)
    gaps[np.diff(sets[in_order]) != 0] = np.inf
    below = np.concatenate([[np.inf], gaps])[: len(lengths)]
    above = np.concatenate([gaps, [np.inf]])[: len(lengths)]
    steps = np.where(above < below, above, -below)
    closest = np.empty(len(lengths))
    closest[in_order] = ascending + np.where(np.isinf(steps), np.nan, steps)
    return closest


def _declare(order: int) -> MetricInfo:
    return replace(
        MBleuMix.info,
        id=f"mbleu-{order}",
        title=f"mBLEU-{order}",
        higher_is_better=False,
        card=cards.describe_mbleu(order),
    )


def _declare_corpus(order: int) -> MetricInfo:
    return replace(
        _declare(order),
        id=f"mbleu-{order}-corpus",
        card=cards.describe_mbleu_corpus(order),
        title=f"mBLEU-{order} (corpus)",
        level=Level.CORPUS,
        citation=_CORPUS_CITATION,
    )


class MBleu1(MBleu, order=1):
    """mBLEU of words."""


class MBleu2(MBleu, order=2):
    """mBLEU of words and bigrams."""


class MBleu3(MBleu, order=3):
    """mBLEU of words, bigrams and trigrams."""


class MBleu4(MBleu, order=4):
    """mBLEU of words, bigrams, trigrams and 4-grams."""


class MBleu1Corpus(MBleuCorpus, order=1):
    """Corpus mBLEU of words."""


class MBleu2Corpus(MBleuCorpus, order=2):
    """Corpus mBLEU of words and bigrams."""


class MBleu3Corpus(MBleuCorpus, order=3):
    """Corpus mBLEU of words, bigrams and trigrams."""


class MBleu4Corpus(MBleuCorpus, order=4):
    """Corpus mBLEU of words, bigrams, trigrams and 4-grams."""

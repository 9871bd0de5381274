"""Metrics that count distinct words: Div-n of a set, vocabulary size and type-token ratio of a system."""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricCard, MetricInfo, Scores
from metrics_plugins.api.parameters import parameter, tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.diversity import cards
from metrics_plugins.metrics.diversity.caption_sets import derive_caption_sets
from metrics_plugins.metrics.diversity.set_terms import derive_set_terms
from metrics_plugins.text.tokens import Int32, derive_words

_SMALL: Final = 1e-6


def _declare(metric_id: str, title: str, level: Level, *, high: float, citation: str, card: MetricCard) -> MetricInfo:
    return MetricInfo(
        id=metric_id,
        title=title,
        level=level,
        inputs=frozenset({Input.CAPTION_SET}),
        higher_is_better=True,
        bounds=(0.0, high),
        version="1",
        citation=citation,
        card=card,
    )


_SHETTY: Final = "Shetty et al. (2017), Speaking the same language: matching machine to human captions"
_MILTENBURG: Final = "van Miltenburg et al. (2018), Measuring the diversity of automatic image descriptions"
_TEMPLIN: Final = "Templin (1957), Certain language skills in children"


@dataclass(frozen=True, kw_only=True)
class _CountsWords(Metric):
    """The common base of these metrics: a tokeniser."""

    tokenizer: Tokenizer = tokenizer_parameter()


class Div(_CountsWords):
    """Different n-grams of a set's captions per word, within [0, 1] (Shetty et al. 2017, section 4).

    The divisor is the number of words plus 1e-6 for every n, as in self-critical.pytorch. A set whose captions have no
    word scores 0; a set without captions has no score (NaN).
    """

    order: ClassVar[int]

    def score(self, batch: Batch) -> Scores:
        caption_sets = derive_caption_sets(batch)
        n_words = derive_words(batch, self.tokenizer).lengths[caption_sets.rows.values]
        n_words_of_set = np.bincount(caption_sets.set_of_slot, weights=n_words, minlength=len(batch))
        terms = derive_set_terms(batch, self.tokenizer, order=self.order)[-1]
        values = np.bincount(terms.sets, minlength=len(batch)) / (n_words_of_set + _SMALL)
        values[caption_sets.sizes == 0] = np.nan
        return Scores(keys=batch.keys, values=values)


class Div1(Div):
    """Different words per word."""

    info = _declare("div-1", "Div-1", Level.SET, high=1.0, citation=_SHETTY, card=cards.describe_div(1))
    order = 1


class Div2(Div):
    """Different bigrams per word."""

    info = _declare("div-2", "Div-2", Level.SET, high=1.0, citation=_SHETTY, card=cards.describe_div(2))
    order = 2


class VocabularySize(_CountsWords):
    """The number of different words in all captions of a system, whatever their sets; 0 without a word."""

    info = _declare(
        "vocabulary-size",
        "Vocabulary size",
        Level.CORPUS,
        high=float("inf"),
        citation=_SHETTY,
        card=cards.VOCABULARY_SIZE,
    )

    def score(self, batch: Batch) -> Scores:
        return Scores.make([Level.CORPUS], [len(np.unique(_list_words(batch, self.tokenizer)))])


class TypeTokenRatio(_CountsWords):
    """Different words per word in all captions of a system, within [0, 1]; NaN without a word.

    It falls as captions become more, so only systems with equally many words compare. Of one set it is Div-1.
    """

    info = _declare("ttr", "Type-token ratio", Level.CORPUS, high=1.0, citation=_TEMPLIN, card=cards.TTR)

    def score(self, batch: Batch) -> Scores:
        words = _list_words(batch, self.tokenizer)
        return Scores.make([Level.CORPUS], [len(np.unique(words)) / len(words) if len(words) else np.nan])


@dataclass(frozen=True, kw_only=True)
class SegmentedRatio(_CountsWords):
    """The type-token ratio of segments of a thousand n-grams, averaged, within (0, 1]; NaN without an n-gram.

    All captions of a system are read one after the other, n-grams across their ends included, and cut into segments;
    the last one is left out unless it is whole, or the only one. The numbers of systems with different numbers of words
    compare, unlike `ttr`. With `tokenizer=spacy-words` it is that of van Miltenburg et al. (2018), section 4.
    """

    order: ClassVar[int]

    window: int = parameter(1000, rule="at least 1", holds=lambda value: value >= 1)

    def score(self, batch: Batch) -> Scores:
        words = _list_words(batch, self.tokenizer).astype(np.int64)
        grams = words[: max(0, len(words) - self.order + 1)]
        for shift in range(1, self.order):
            # A number for each pair of a gram and the word after it.
            pairs = np.column_stack([grams, words[shift : shift + len(grams)]])
            grams = np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)
        if not len(grams):
            return Scores.make([Level.CORPUS], [np.nan])
        n_whole = len(grams) // self.window
        segments = np.split(grams[: n_whole * self.window], n_whole) if n_whole else [grams]
        return Scores.make([Level.CORPUS], [float(np.mean([len(np.unique(each)) / len(each) for each in segments]))])


class SegmentedRatio1(SegmentedRatio):
    """Different words per thousand."""

    info = _declare(
        "ttr-1",
        "Type-token ratio per 1000 words",
        Level.CORPUS,
        high=1.0,
        citation=_MILTENBURG,
        card=cards.describe_segmented_ratio(1),
    )
    order = 1


class SegmentedRatio2(SegmentedRatio):
    """Different bigrams per thousand."""

    info = _declare(
        "ttr-2",
        "Type-token ratio per 1000 bigrams",
        Level.CORPUS,
        high=1.0,
        citation=_MILTENBURG,
        card=cards.describe_segmented_ratio(2),
    )
    order = 2


def _list_words(batch: Batch, tokenizer: Tokenizer) -> Int32:
    """Return the numbers of all words of all captions of a batch's sets."""
    words = derive_words(batch, tokenizer)
    return words.ids[words.locate(batch.caption_set_rows.values)]

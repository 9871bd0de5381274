"""Coverage: the share of the words to be learned from a training corpus that a system uses."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.diversity.cards import COVERAGE as COVERAGE_CARD
from metrics_plugins.metrics.diversity.novelty import LearnedWords
from metrics_plugins.text.tokens import Int64, derive_words

COVERAGE: Final = MetricInfo(
    id="coverage",
    title="Coverage",
    level=Level.CORPUS,
    inputs=frozenset({Input.CAPTION_SET, Input.REFERENCES}),
    higher_is_better=True,
    bounds=(0.0, 1.0),
    version="1",
    citation="van Miltenburg et al. (2018), Measuring the diversity of automatic image descriptions",
    fits_on=FitsOn.CAPTIONS,
    card=COVERAGE_CARD,
)


@dataclass(frozen=True, kw_only=True)
class FittedCoverage(LearnedWords, Metric):
    """The share of learnable words that the captions of a system contain, within [0, 1].

    A word is learnable if both the corpus and the references of the scored images contain it. Without a learnable word
    the score is NaN. It grows with the number of captions, so only systems with captions of the same images compare.
    With `tokenizer=spacy-words` and COCO's training captions it is that of van Miltenburg et al. (2018), section 5.
    """

    info = COVERAGE

    corpus: frozenset[str] = field(repr=False)

    def score(self, batch: Batch) -> Scores:
        learnable = self.corpus & _list_words(batch, batch.reference_rows.values, self.tokenizer)
        used = learnable & _list_words(batch, batch.caption_set_rows.values, self.tokenizer)
        return Scores.make([Level.CORPUS], [len(used) / len(learnable) if learnable else np.nan])


@dataclass(frozen=True, kw_only=True)
class Coverage(LearnedWords, Fittable):
    """Coverage of the words of the corpus on which the metric is fitted, such as COCO's training captions."""

    info = COVERAGE

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedCoverage:
        corpus = _list_words(batch, batch.caption_set_rows.values, self.tokenizer)
        return FittedCoverage(tokenizer=self.tokenizer, corpus=corpus)


def _list_words(batch: Batch, texts: Int64, tokenizer: Tokenizer) -> frozenset[str]:
    words = derive_words(batch, tokenizer)
    return frozenset(words.words[number] for number in np.unique(words.ids[words.locate(texts)]))

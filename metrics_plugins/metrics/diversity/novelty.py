"""Novelty: the share of a set's captions that do not occur in a training corpus."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.metric import Described
from metrics_plugins.api.parameters import constant, tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.diversity.caption_sets import derive_caption_sets
from metrics_plugins.metrics.diversity.cards import NOVELTY as NOVELTY_CARD
from metrics_plugins.text.tokens import name_tokenizer

NOVELTY: Final = MetricInfo(
    id="novelty",
    title="Novelty",
    level=Level.SET,
    inputs=frozenset({Input.CAPTION_SET}),
    higher_is_better=True,
    bounds=(0.0, 1.0),
    version="1",
    citation="Shetty et al. (2017), Speaking the same language: matching machine to human captions",
    fits_on=FitsOn.CAPTIONS,
    card=NOVELTY_CARD,
)


@dataclass(frozen=True, kw_only=True)
class LearnedWords(Described):
    """A metric that compares captions with the words of a corpus, on which it is fitted."""

    tokenizer: Tokenizer = tokenizer_parameter()
    learned_from: str = constant(str(FitsOn.CAPTIONS), label="corpus")


@dataclass(frozen=True, kw_only=True)
class FittedNovelty(LearnedWords, Metric):
    """The share of a set's captions whose tokens no caption of the corpus has, within [0, 1].

    Duplicate captions in a set count twice. A set without captions has no score (NaN).
    """

    info = NOVELTY

    corpus: frozenset[str] = field(repr=False)

    def score(self, batch: Batch) -> Scores:
        caption_sets = derive_caption_sets(batch)
        lines = _derive_lines(batch, self.tokenizer)
        is_novel = np.array([line not in self.corpus for line in lines], dtype=np.float64)
        return Scores(keys=batch.keys, values=caption_sets.average(is_novel[caption_sets.rows.values]))


@dataclass(frozen=True, kw_only=True)
class Novelty(LearnedWords, Fittable):
    """Novelty relative to the captions of all caption sets of the corpus on which the metric is fitted.

    If it is fitted on the captions to be scored, as it is if no corpus is given, every score is 0.
    """

    info = NOVELTY

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedNovelty:
        lines = _derive_lines(batch, self.tokenizer)
        corpus = frozenset(lines[position] for position in batch.caption_set_rows.values)
        return FittedNovelty(tokenizer=self.tokenizer, corpus=corpus)


def _derive_lines(batch: Batch, tokenizer: Tokenizer) -> Sequence[str]:
    return batch.derive_texts(("lines", name_tokenizer(tokenizer)), tokenizer.tokenize)

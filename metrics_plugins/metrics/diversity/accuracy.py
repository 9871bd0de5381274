"""Accuracy of caption sets: their CIDEr against the references, alone or combined with diversity."""

from dataclasses import dataclass, replace

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.metric import Described
from metrics_plugins.api.parameters import parameter
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.diversity import cards
from metrics_plugins.metrics.diversity.caption_sets import derive_caption_sets
from metrics_plugins.metrics.diversity.kernels import ORDER, SCALE, SIGMA, ChosenSimilarity, CountedWords, FixedOrder
from metrics_plugins.metrics.diversity.self_cider import FittedSelfCider, FittedSelfCiderD
from metrics_plugins.metrics.ngram.cider import FittedCider, FittedCiderD
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies, count_documents

SET_CIDER = MetricInfo(
    id="set-cider",
    title="Accuracy of a set (CIDEr)",
    level=Level.SET,
    inputs=frozenset({Input.CAPTION_SET, Input.REFERENCES}),
    higher_is_better=True,
    bounds=(0.0, SCALE),
    version="1",
    citation="Wang et al. (2020), On diversity in image captioning: metrics and methods",
    card=cards.SET_CIDER,
    fits_on=FitsOn.REFERENCES,
)
F_BETA = replace(SET_CIDER, id="f-beta", title="F-beta of accuracy and diversity", card=cards.F_BETA)


@dataclass(frozen=True, kw_only=True)
class _Weighted(Described):
    beta: float = parameter(1.0, rule="positive", holds=lambda value: 0 < value < float("inf"))


@dataclass(frozen=True, kw_only=True)
class FittedSetCider(CountedWords, FixedOrder, ChosenSimilarity, Metric):
    """Accuracy of a set over known document frequencies: the mean CIDEr of its captions, within [0, 10].

    Each caption is scored against the references of its row (Wang et al. 2020, section 3). A row without references,
    and a set without captions, has no score (NaN).
    """

    info = SET_CIDER

    documents: DocumentFrequencies

    def score(self, batch: Batch) -> Scores:
        captions = batch.derive("captions of sets with references", _list_captions)
        values = self._build_cider().score(captions).values
        return Scores(keys=batch.keys, values=derive_caption_sets(batch).average(values))

    def _build_cider(self) -> Metric:
        if self.similarity == "cider":
            return FittedCider(tokenizer=self.tokenizer, df=self.documents, n=ORDER)
        return FittedCiderD(tokenizer=self.tokenizer, df=self.documents, n=ORDER, sigma=SIGMA)


@dataclass(frozen=True, kw_only=True)
class FittedFBeta(CountedWords, FixedOrder, ChosenSimilarity, _Weighted, Metric):
    """F-beta of accuracy A and diversity D over known document frequencies, within [0, 10].

    (beta^2 + 1) A D / (beta^2 A + D), where A is `set-cider`, within [0, 10], and D is `self-cider-d` (or `self-cider`
    with the similarity `cider`), within [0, 1]: the paper warns that the scales differ. 0 if both are 0, NaN where
    either is (Wang et al. 2020).
    """

    info = F_BETA

    documents: DocumentFrequencies

    def score(self, batch: Batch) -> Scores:
        accuracy = self._build_accuracy().score(batch).values
        diversity = self._build_diversity().score(batch).values
        weight = self.beta**2
        denominators = weight * accuracy + diversity
        values = np.where(np.isnan(denominators), np.nan, 0.0)
        np.divide((weight + 1) * accuracy * diversity, denominators, out=values, where=denominators > 0)
        return Scores(keys=batch.keys, values=values)

    def _build_accuracy(self) -> Metric:
        return FittedSetCider(tokenizer=self.tokenizer, documents=self.documents, similarity=self.similarity)

    def _build_diversity(self) -> Metric:
        if self.similarity == "cider":
            return FittedSelfCider(tokenizer=self.tokenizer, documents=self.documents)
        return FittedSelfCiderD(tokenizer=self.tokenizer, documents=self.documents, sigma=SIGMA)


@dataclass(frozen=True, kw_only=True)
class SetCider(CountedWords, FixedOrder, ChosenSimilarity, Fittable):
    """Accuracy of a set, whose document frequencies are counted over the references of the rows it is fitted on.

    With the similarity `cider-d` it is the mean of `cider-d` (which published tables call CIDEr), with `cider` that of
    `cider`.
    """

    info = SET_CIDER

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedSetCider:
        documents = count_documents(batch, self.tokenizer, order=ORDER)
        return FittedSetCider(tokenizer=self.tokenizer, documents=documents, similarity=self.similarity)


@dataclass(frozen=True, kw_only=True)
class FBeta(CountedWords, FixedOrder, ChosenSimilarity, _Weighted, Fittable):
    """F-beta, whose document frequencies are counted over the references of the rows it is fitted on."""

    info = F_BETA

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedFBeta:
        documents = count_documents(batch, self.tokenizer, order=ORDER)
        return FittedFBeta(tokenizer=self.tokenizer, documents=documents, similarity=self.similarity, beta=self.beta)


def _list_captions(batch: Batch) -> Batch:
    """Return one row per slot of the caption sets: its caption with the references of its set."""
    caption_sets = derive_caption_sets(batch)
    texts = batch.derive_texts("texts", tuple)
    references = batch.references
    return Batch.make(
        map(str, range(len(caption_sets.places))),
        candidates=[texts[position] for position in caption_sets.rows.values],
        references=[references[row] for row in caption_sets.set_of_slot],
    )

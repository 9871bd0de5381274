"""mCIDEr: the mean similarity of the captions in a set."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.diversity import cards
from metrics_plugins.metrics.diversity.kernels import (
    ORDER,
    SCALE,
    ChosenSimilarity,
    CountedWords,
    FixedOrder,
    derive_kernels,
)
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies, count_documents

M_CIDER: Final = MetricInfo(
    id="m-cider",
    title="mCIDEr",
    level=Level.SET,
    # References are read only when fitting, but must be declared.
    inputs=frozenset({Input.CAPTION_SET, Input.REFERENCES}),
    higher_is_better=False,
    bounds=(0.0, SCALE),
    version="1",
    citation="Wang et al. (2020), On diversity in image captioning: metrics and methods",
    card=cards.M_CIDER,
    fits_on=FitsOn.REFERENCES,
)


@dataclass(frozen=True, kw_only=True)
class FittedMCider(CountedWords, FixedOrder, ChosenSimilarity, Metric):
    """mCIDEr over known document frequencies, within [0, 10]; lower is more diverse.

    The mean over all m * m pairs of captions of the CIDEr of one with the other as its reference. The paper speaks of
    the remaining captions, but its sum runs over all, so each caption is compared with itself too (Wang et al. 2020).
    A set without captions has no score (NaN). Neither the order of captions nor other sets change a bit.
    """

    info = M_CIDER

    documents: DocumentFrequencies

    def score(self, batch: Batch) -> Scores:
        kernels = derive_kernels(batch, self.tokenizer, self.documents, similarity=self.similarity)
        values = np.full(len(batch), np.nan)
        for rows, matrices in kernels.iterate():
            values[rows] = matrices.reshape(len(rows), -1).mean(axis=1)
        return Scores(keys=batch.keys, values=values)


@dataclass(frozen=True, kw_only=True)
class MCider(CountedWords, FixedOrder, ChosenSimilarity, Fittable):
    """mCIDEr, whose document frequencies are counted over the references of the rows it is fitted on."""

    info = M_CIDER

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedMCider:
        documents = count_documents(batch, self.tokenizer, order=ORDER)
        return FittedMCider(tokenizer=self.tokenizer, documents=documents, similarity=self.similarity)

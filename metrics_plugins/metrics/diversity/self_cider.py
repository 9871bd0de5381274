"""Self-CIDEr, the diversity of a caption set measured by the CIDEr of all pairs of its captions."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import parameter
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.diversity import cards
from metrics_plugins.metrics.diversity.kernels import ORDER, SIGMA, CountedWords, FixedOrder, derive_kernels
from metrics_plugins.metrics.diversity.spectrum import measure_spread
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies, count_documents

SELF_CIDER: Final = MetricInfo(
    id="self-cider",
    title="Self-CIDEr",
    level=Level.SET,
    # References are used only for fitting, but must be declared to be available for it.
    inputs=frozenset({Input.CAPTION_SET, Input.REFERENCES}),
    higher_is_better=True,
    bounds=(0.0, 1.0),
    version="1",
    citation="Wang et al. (2020), On diversity in image captioning: metrics and methods",
    card=cards.SELF_CIDER,
    fits_on=FitsOn.REFERENCES,
)
SELF_CIDER_D: Final = replace(SELF_CIDER, id="self-cider-d", title="Self-CIDEr-D", card=cards.SELF_CIDER_D)


@dataclass(frozen=True, kw_only=True)
class _Tolerance(FixedOrder):
    sigma: float = parameter(SIGMA, rule="positive", holds=lambda value: value > 0)


@dataclass(frozen=True, kw_only=True)
class FittedSelfCider(CountedWords, FixedOrder, Metric):
    """Self-CIDEr over known document frequencies (Wang et al. 2020, equations 1 to 4), within [0, 1].

    The score is -log_m(sqrt(l_1) / sum of sqrt(l)), where l are the eigenvalues of the matrix of the CIDEr of all pairs
    of the m captions. Eigenvalues below 0 due to rounding count as 0. A set of fewer than two captions, or in which all
    n-grams have weight 0, has no score (NaN). The order of captions and other sets never affect the score.
    """

    info = SELF_CIDER

    documents: DocumentFrequencies

    def score(self, batch: Batch) -> Scores:
        kernels = derive_kernels(batch, self.tokenizer, self.documents, similarity="cider")
        values = np.full(len(batch), np.nan)
        for rows, matrices in kernels.iterate():
            eigenvalues = np.linalg.eigvalsh(matrices).astype(np.float64)
            values[rows] = measure_spread(np.sqrt(np.maximum(eigenvalues, 0)), m=matrices.shape[1])
        return Scores(keys=batch.keys, values=values)


@dataclass(frozen=True, kw_only=True)
class FittedSelfCiderD(CountedWords, _Tolerance, Metric):
    """Self-CIDEr of the authors' code over known document frequencies, within [0, 1].

    The similarity is CIDEr-D, which is not symmetric: the upper triangle of the matrix, where the earlier caption is
    the candidate and the later one its reference, is copied to the lower one, so the order of captions matters. As the
    matrix may have negative eigenvalues, the code uses its singular values s: -log_m(sqrt(s_1) / sum of sqrt(s)). NaN
    as for `self-cider`. Other sets never affect the score.
    """

    info = SELF_CIDER_D

    documents: DocumentFrequencies

    def score(self, batch: Batch) -> Scores:
        kernels = derive_kernels(batch, self.tokenizer, self.documents, similarity="cider-d", sigma=self.sigma)
        values = np.full(len(batch), np.nan)
        for rows, matrices in kernels.iterate(as_given=True):
            mirrored = np.triu(matrices) + np.triu(matrices, k=1).swapaxes(1, 2)
            # The singular values of a symmetric matrix are the absolute eigenvalues, which are faster to compute.
            singular_values = np.abs(np.linalg.eigvalsh(mirrored)).astype(np.float64)
            values[rows] = measure_spread(np.sqrt(singular_values), m=matrices.shape[1])
        return Scores(keys=batch.keys, values=values)


@dataclass(frozen=True, kw_only=True)
class SelfCider(CountedWords, FixedOrder, Fittable):
    """Self-CIDEr with the plain CIDEr of the paper, a symmetric similarity without clipping or length penalty.

    Document frequencies are counted in the references of the rows it is fitted on, where each row is one image. With
    PTB tokens and the references of the evaluated images, this is also the variant in self-critical.pytorch; the
    tokeniser `white-space` leaves captions unchanged.
    """

    info = SELF_CIDER

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedSelfCider:
        documents = count_documents(batch, self.tokenizer, order=ORDER)
        return FittedSelfCider(tokenizer=self.tokenizer, documents=documents)


@dataclass(frozen=True, kw_only=True)
class SelfCiderD(CountedWords, _Tolerance, Fittable):
    """Self-CIDEr with CIDEr-D and singular values, as in the authors' code (qingzwang/DiversityMetrics).

    Document frequencies are counted in the references of the rows it is fitted on, where each row is one image. The
    authors use the training captions of COCO, and split captions at white space (tokeniser `white-space`).
    """

    info = SELF_CIDER_D

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedSelfCiderD:
        documents = count_documents(batch, self.tokenizer, order=ORDER)
        return FittedSelfCiderD(tokenizer=self.tokenizer, documents=documents, sigma=self.sigma)

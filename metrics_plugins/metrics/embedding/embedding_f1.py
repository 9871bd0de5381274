"""BERTScore's F1 with any encoder of tokens, with equal weights or with idf weights."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricError, MetricInfo, Scores
from metrics_plugins.api.metric import Described
from metrics_plugins.api.parameters import Building, constant, encoder_parameter, made_parameter
from metrics_plugins.api.providers import TokenEncoder
from metrics_plugins.encoders.weights import MINILM, TORCH
from metrics_plugins.metrics.embedding.cards import EMBEDDING_F1, EMBEDDING_F1_IDF
from metrics_plugins.metrics.embedding.cosines import average_references, find_best_reference
from metrics_plugins.metrics.embedding.greedy_matching import TokenWeights, derive_matches, learn_idf

Over: TypeAlias = Literal["mean", "max"]

_CITATION = "Zhang et al. (2020), BERTScore: evaluating text generation with BERT"


def _get_token_encoder(building: Building, name: str) -> TokenEncoder:
    encoder = building.context.get_encoder(name)
    if not isinstance(encoder, TokenEncoder):
        raise MetricError(f"metric {building.metric!r}: encoder {name!r} gives no vectors of tokens")
    return encoder


def _choose_over(building: Building, over: Over) -> Over:
    if over not in ("mean", "max"):
        raise MetricError(f"metric {building.metric!r}: over must be 'mean' or 'max', got {over!r}")
    return over


def _check_baseline(building: Building, baseline: float) -> float:
    if not 0 <= baseline < 1:
        raise MetricError(f"metric {building.metric!r}: baseline must be at least 0 and below 1, got {baseline}")
    return baseline


@dataclass(frozen=True, kw_only=True)
class _Matching(Described):
    """The parameters of both metrics.

    Attributes:
        encoder: The encoder of tokens.
        over: How several references are combined: by their mean, or by the best one.
        baseline: The score that becomes 0 when scores are rescaled to (score - baseline) / (1 - baseline).
    """

    encoder: TokenEncoder = encoder_parameter("minilm", make=_get_token_encoder)
    over: Over = made_parameter("mean", make=_choose_over)
    baseline: float = made_parameter(0.0, make=_check_baseline)

    def score_tokens(self, batch: Batch, *, weights: TokenWeights | None) -> Scores:
        """Return the score of each row."""
        f1 = derive_matches(batch, self.encoder, weights=weights).f1
        combine = average_references if self.over == "mean" else find_best_reference
        values = combine(f1, batch.reference_rows)
        return Scores(keys=batch.keys, values=(values - self.baseline) / (1 - self.baseline))


@dataclass(frozen=True, kw_only=True)
class EmbeddingF1(_Matching, Metric):
    """The mean, over the references, of F1 of greedily matched tokens; NaN for a row without references.

    Precision is the mean, over the candidate's tokens, of the cosine to the most similar token of the reference; recall
    is the same with candidate and reference exchanged. Vectors are those of the last layer. Special tokens such as
    [CLS] and [SEP] can be matched, but have weight 0. An empty caption scores 0.
    """

    info = MetricInfo(
        id="embedding-f1",
        title="Embedding F1",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(float("-inf"), 1.0),
        version="1",
        citation=_CITATION,
        resources=(TORCH, MINILM),
        card=EMBEDDING_F1,
    )

    def score(self, batch: Batch) -> Scores:
        return self.score_tokens(batch, weights=None)


_IDF_INFO = replace(
    EmbeddingF1.info,
    id="embedding-f1-idf",
    title="Embedding F1 (idf)",
    fits_on=FitsOn.REFERENCES,
    card=EMBEDDING_F1_IDF,
)


@dataclass(frozen=True, kw_only=True)
class _IdfMatching(_Matching):
    idf: str = constant(str(FitsOn.REFERENCES))


@dataclass(frozen=True, kw_only=True)
class EmbeddingF1Idf(_IdfMatching, Fittable):
    """`embedding-f1` with tokens weighted by their idf in the references; equal references count once."""

    info = _IDF_INFO

    def fit(self, batch: Batch, targets: npt.NDArray[np.float64] | None, rng: np.random.Generator) -> "FittedIdf":
        """Return the metric with the idf weights of tokens in these references."""
        texts = batch.derive_texts("texts", tuple)
        references = [texts[number] for number in np.unique(batch.reference_rows.values)]
        weights = learn_idf(self.encoder.tokenize(references))
        return FittedIdf(encoder=self.encoder, over=self.over, baseline=self.baseline, weights=weights)


@dataclass(frozen=True, kw_only=True)
class FittedIdf(_IdfMatching, Metric):
    """The fitted metric of `EmbeddingF1Idf`."""

    weights: TokenWeights

    info = _IDF_INFO

    def score(self, batch: Batch) -> Scores:
        return self.score_tokens(batch, weights=self.weights)

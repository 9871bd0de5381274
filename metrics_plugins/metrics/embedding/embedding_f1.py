"""BERTScore's F1 on any encoder that gives vectors to tokens, with all tokens alike or weighted by their rarity."""

from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import (
    Batch,
    BuildContext,
    FitsOn,
    Fittable,
    Input,
    Level,
    Metric,
    MetricError,
    MetricInfo,
    Scores,
)
from metrics_plugins.api.paths import EncoderName
from metrics_plugins.api.providers import TokenEncoder
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.embedding.cosines import average_references, find_best_reference, name_weights
from metrics_plugins.metrics.embedding.greedy_matching import TokenWeights, derive_matches, learn_idf

Over: TypeAlias = Literal["mean", "max"]

_CITATION = "Zhang et al. (2020), BERTScore: evaluating text generation with BERT"


@dataclass(frozen=True, kw_only=True)
class _Matching:
    """The choices of both metrics.

    Attributes:
        encoder: Gives the vectors of tokens.
        over: What several references together say: their mean, or the best of them.
        baseline: What becomes 0 when scores are rescaled to (score - baseline) / (1 - baseline).
    """

    encoder: TokenEncoder
    over: Over
    baseline: float

    def describe(self) -> dict[str, SignatureValue]:
        return {"encoder": name_weights(self.encoder), "over": self.over, "baseline": self.baseline}

    def score_tokens(self, batch: Batch, *, weights: TokenWeights | None) -> Scores:
        """Return the score of each row."""
        f1 = derive_matches(batch, self.encoder, weights=weights).f1
        combine = average_references if self.over == "mean" else find_best_reference
        values = combine(f1, batch.reference_rows)
        return Scores(keys=batch.keys, values=(values - self.baseline) / (1 - self.baseline))


def _choose(metric_id: str, context: BuildContext, *, encoder: str, over: Over, baseline: float) -> _Matching:
    chosen = context.get_encoder(encoder)
    if not isinstance(chosen, TokenEncoder):
        raise MetricError(f"metric {metric_id!r}: encoder {encoder!r} gives no vectors of tokens")
    if over not in ("mean", "max"):
        raise MetricError(f"metric {metric_id!r}: over must be 'mean' or 'max', got {over!r}")
    if not 0 <= baseline < 1:
        raise MetricError(f"metric {metric_id!r}: baseline must be at least 0 and below 1, got {baseline}")
    return _Matching(encoder=chosen, over=over, baseline=baseline)


@dataclass(frozen=True, kw_only=True)
class EmbeddingF1(Metric):
    """The mean, over the references, of F1 of greedily matched tokens; NaN for a row without references.

    Precision is the mean, over the candidate's tokens, of the cosine to the most similar token of the reference; recall
    is the same the other way round. Vectors are those of the last layer. Tokens such as [CLS] and [SEP] can be found,
    but count for nothing. An empty caption matches nothing (0).
    """

    matching: _Matching

    info = MetricInfo(
        id="embedding-f1",
        title="Embedding F1",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(float("-inf"), 1.0),
        version="1",
        citation=_CITATION,
        resources=("token encoder",),
    )

    @classmethod
    def build(
        cls, context: BuildContext, *, encoder: EncoderName = "minilm", over: Over = "mean", baseline: float = 0.0
    ) -> Self:
        """Return the metric on an encoder: its name, or a folder.

        Raises:
            MissingResource: The weights are not there.
            UnknownEncoder: No plugin provides it.
            MetricError: The encoder has no tokens, or a parameter is out of range.
        """
        return cls(matching=_choose(cls.info.id, context, encoder=encoder, over=over, baseline=baseline))

    @property
    def encoder(self) -> TokenEncoder:
        return self.matching.encoder

    def describe(self) -> dict[str, SignatureValue]:
        return self.matching.describe()

    def score(self, batch: Batch) -> Scores:
        return self.matching.score_tokens(batch, weights=None)


_IDF_INFO = MetricInfo(
    id="embedding-f1-idf",
    title="Embedding F1 (idf)",
    level=Level.SEGMENT,
    inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
    higher_is_better=True,
    bounds=(float("-inf"), 1.0),
    version="1",
    citation=_CITATION,
    fits_on=FitsOn.REFERENCES,
    resources=("token encoder",),
)


@dataclass(frozen=True, kw_only=True)
class EmbeddingF1Idf(Fittable):
    """`embedding-f1` with each token weighted by how rare it is among the references; equal ones count once."""

    matching: _Matching

    info = _IDF_INFO

    @classmethod
    def build(
        cls, context: BuildContext, *, encoder: EncoderName = "minilm", over: Over = "mean", baseline: float = 0.0
    ) -> Self:
        """Return the metric on an encoder, as `EmbeddingF1.build` does."""
        return cls(matching=_choose(cls.info.id, context, encoder=encoder, over=over, baseline=baseline))

    @property
    def encoder(self) -> TokenEncoder:
        return self.matching.encoder

    def describe(self) -> dict[str, SignatureValue]:
        return {**self.matching.describe(), "idf": "references"}

    def fit(self, batch: Batch, targets: npt.NDArray[np.float64] | None, rng: np.random.Generator) -> "FittedIdf":
        """Return the metric with the weights of tokens that these references give."""
        texts = batch.derive_texts("texts", tuple)
        references = [texts[number] for number in np.unique(batch.reference_rows.values)]
        weights = learn_idf(self.matching.encoder.tokenize(references))
        return FittedIdf(matching=self.matching, weights=weights)


@dataclass(frozen=True, kw_only=True)
class FittedIdf(Metric):
    """What `EmbeddingF1Idf` becomes."""

    matching: _Matching
    weights: TokenWeights

    info = _IDF_INFO

    @property
    def encoder(self) -> TokenEncoder:
        return self.matching.encoder

    def describe(self) -> dict[str, SignatureValue]:
        return {**self.matching.describe(), "idf": "references"}

    def score(self, batch: Batch) -> Scores:
        return self.matching.score_tokens(batch, weights=self.weights)

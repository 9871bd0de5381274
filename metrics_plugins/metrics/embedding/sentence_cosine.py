"""The cosine of the sentence vectors of candidate and references."""

from dataclasses import dataclass, replace

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import encoder_parameter
from metrics_plugins.api.providers import Encoder
from metrics_plugins.encoders.weights import MINILM, TORCH
from metrics_plugins.metrics.embedding.cards import SENTENCE_COSINE, SENTENCE_COSINE_MAX
from metrics_plugins.metrics.embedding.cosines import average_references, derive_reference_cosines, find_best_reference

_CITATION = "Reimers and Gurevych (2019), Sentence-BERT: sentence embeddings using Siamese BERT-networks"


@dataclass(frozen=True, kw_only=True)
class SentenceCosine(Metric):
    """The mean cosine of the vectors of the candidate and each reference; NaN without references."""

    encoder: Encoder = encoder_parameter("minilm")

    info = MetricInfo(
        id="sentence-cosine",
        title="Sentence cosine",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(-1.0, 1.0),
        version="1",
        citation=_CITATION,
        resources=(TORCH, MINILM),
        card=SENTENCE_COSINE,
    )

    def score(self, batch: Batch) -> Scores:
        values = average_references(derive_reference_cosines(batch, self.encoder), batch.reference_rows)
        return Scores(keys=batch.keys, values=values)


@dataclass(frozen=True, kw_only=True)
class SentenceCosineMax(SentenceCosine):
    """The cosine of the vectors of the candidate and the nearest reference; NaN without references."""

    info = replace(
        SentenceCosine.info, id="sentence-cosine-max", title="Sentence cosine (nearest)", card=SENTENCE_COSINE_MAX
    )

    def score(self, batch: Batch) -> Scores:
        values = find_best_reference(derive_reference_cosines(batch, self.encoder), batch.reference_rows)
        return Scores(keys=batch.keys, values=values)

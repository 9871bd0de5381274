"""The cosine of the candidate's sentence vector to those of the references."""

from dataclasses import dataclass

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import encoder_parameter
from metrics_plugins.api.providers import Encoder
from metrics_plugins.metrics.embedding.cosines import (
    average_references,
    derive_reference_cosines,
    find_best_reference,
)

_CITATION = "Reimers and Gurevych (2019), Sentence-BERT: sentence embeddings using Siamese BERT-networks"


@dataclass(frozen=True, kw_only=True)
class SentenceCosine(Metric):
    """The mean, over the references, of the cosine of the candidate's vector to the reference's; NaN without any."""

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
        resources=("sentence encoder",),
    )

    def score(self, batch: Batch) -> Scores:
        values = average_references(derive_reference_cosines(batch, self.encoder), batch.reference_rows)
        return Scores(keys=batch.keys, values=values)


@dataclass(frozen=True, kw_only=True)
class SentenceCosineMax(SentenceCosine):
    """The cosine of the candidate's vector to that of the nearest reference; NaN without any."""

    info = MetricInfo(
        id="sentence-cosine-max",
        title="Sentence cosine (nearest)",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(-1.0, 1.0),
        version="1",
        citation=_CITATION,
        resources=("sentence encoder",),
    )

    def score(self, batch: Batch) -> Scores:
        values = find_best_reference(derive_reference_cosines(batch, self.encoder), batch.reference_rows)
        return Scores(keys=batch.keys, values=values)

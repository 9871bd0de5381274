"""CLIPScore and RefCLIPScore, the similarity of a caption and its image in the space of a CLIP model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import encoder_parameter
from metrics_plugins.api.providers import Encoder
from metrics_plugins.api.scores import Values
from metrics_plugins.encoders.weights import CLIP, TORCH
from metrics_plugins.metrics.embedding.cards import CLIP_SCORE, REF_CLIP_SCORE
from metrics_plugins.metrics.embedding.cosines import Floats, find_best_reference, measure_cosines

_CITATION: Final = "Hessel et al. (2021), CLIPScore: a reference-free evaluation metric for image captioning"
_WEIGHT: Final = 2.5
_PREFIX: Final = "A photo depicts "


@dataclass(frozen=True, kw_only=True)
class ClipScore(Metric):
    """2.5 times the cosine of image and "A photo depicts " + candidate, at least 0 (Hessel et al., section 3)."""

    encoder: Encoder = encoder_parameter("clip")

    info = MetricInfo(
        id="clip-score",
        title="CLIP-S",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.IMAGE}),
        higher_is_better=True,
        bounds=(0.0, _WEIGHT),
        version="1",
        citation=_CITATION,
        resources=(TORCH, CLIP),
        card=CLIP_SCORE,
    )

    def score(self, batch: Batch) -> Scores:
        return Scores(keys=batch.keys, values=derive_image_scores(batch, self.encoder))


@dataclass(frozen=True, kw_only=True)
class RefClipScore(ClipScore):
    """The harmonic mean of CLIP-S and the largest cosine of the candidate to a reference, at least 0 (section 3).

    Both candidate and references get the prefix. The score is 0 if either value is 0, NaN for a row without references.
    """

    info = replace(
        ClipScore.info,
        id="ref-clip-score",
        title="RefCLIP-S",
        card=REF_CLIP_SCORE,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES, Input.IMAGE}),
        bounds=(0.0, 2 * _WEIGHT / (1 + _WEIGHT)),
    )

    def score(self, batch: Batch) -> Scores:
        to_image = derive_image_scores(batch, self.encoder)
        texts = _derive_texts(batch, self.encoder)
        candidates = batch.candidate_rows[batch.reference_rows.row_of_value]
        cosines = measure_cosines(texts, candidates, texts, batch.reference_rows.values)
        nearest = np.maximum(find_best_reference(cosines, batch.reference_rows), 0.0)
        total = to_image + nearest
        # NaN for rows without references is preserved.
        values = np.divide(2 * to_image * nearest, total, out=np.zeros(len(total)), where=total != 0)
        return Scores(keys=batch.keys, values=values)


def derive_image_scores(batch: Batch, encoder: Encoder) -> Values:
    """Return `(n_rows,)`: CLIP-S of each row."""

    def measure(view: Batch) -> Values:
        rows = np.arange(len(view))
        texts = _derive_texts(view, encoder)
        cosines = measure_cosines(encoder.encode(view.images), rows, texts, view.candidate_rows)
        values: Values = _WEIGHT * np.maximum(cosines, 0.0)
        return values

    return batch.derive(("clip scores", encoder.name, encoder.digest), measure)


def _derive_texts(batch: Batch, encoder: Encoder) -> Floats:
    def encode(texts: Sequence[str]) -> Floats:
        return encoder.encode([_PREFIX + text for text in texts])

    return batch.derive_texts(("clip vectors", encoder.name, encoder.digest), encode)

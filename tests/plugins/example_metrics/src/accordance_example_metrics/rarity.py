"""A metric that is fitted on references before it scores."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricInfo, Scores


class WordRarity(Fittable):
    """How rare a candidate's words are: the mean share of images without the word in a reference; NaN without words."""

    info: ClassVar[MetricInfo] = MetricInfo(
        id="word-rarity",
        title="Word rarity",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation="An example",
        fits_on=FitsOn.REFERENCES,
    )

    def fit(self, batch: Batch, targets: npt.NDArray[np.float64] | None, rng: np.random.Generator) -> Metric:
        """Count in how many images each word stands."""
        images = [{word for text in texts for word in text.lower().split()} for texts in batch.references]
        return FittedWordRarity(n_images=len(images), counts=Counter(word for image in images for word in image))


@dataclass(frozen=True, eq=False)
class FittedWordRarity(Metric):
    """`WordRarity` with its counts."""

    info: ClassVar[MetricInfo] = WordRarity.info

    n_images: int
    counts: Mapping[str, int]

    def score(self, batch: Batch) -> Scores:
        """Return the mean rarity of each candidate's words."""
        return Scores.make(batch.keys, [self._average(text.lower().split()) for text in batch.candidates])

    def _average(self, words: list[str]) -> float:
        if not words or not self.n_images:
            return float("nan")
        return 1 - sum(self.counts.get(word, 0) for word in words) / (len(words) * self.n_images)

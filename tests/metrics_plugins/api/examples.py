"""Small correct metrics of every role, for the tests of the contract."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

import numpy as np

from metrics_plugins.api import (
    Batch,
    BuildContext,
    DecomposableMetric,
    FitsOn,
    Fittable,
    Input,
    Level,
    Metric,
    MetricInfo,
    Scores,
    hookimpl,
)
from metrics_plugins.api.signature import SignatureValue


def make_info(metric_id: str = "example", **changes: object) -> MetricInfo:
    fields = {
        "id": metric_id,
        "title": "Example",
        "level": Level.SEGMENT,
        "inputs": frozenset({Input.CANDIDATE}),
        "higher_is_better": True,
        "bounds": (0.0, float("inf")),
        "version": "1",
        "citation": "none",
    }
    return MetricInfo(**(fields | changes))


def count_words(texts: Sequence[str]) -> np.ndarray:
    return np.asarray([len(text.split()) for text in texts], dtype=np.float64)


class Words(Metric):
    """The number of words of a candidate."""

    info: ClassVar[MetricInfo] = make_info("words")

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, batch.derive_texts("n words", count_words)[batch.candidate_rows])


class Recall(DecomposableMetric):
    """The share of the first reference's words that the candidate has; 0 without references."""

    info: ClassVar[MetricInfo] = make_info(
        "recall", inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}), bounds=(0.0, 1.0)
    )
    n_statistics: ClassVar[int] = 2

    def __init__(self, *, power: float = 1.0) -> None:
        self.power = power

    @classmethod
    def build(cls, context: BuildContext, *, power: float = 1.0) -> Self:
        return cls(power=power)

    def describe(self) -> Mapping[str, SignatureValue]:
        return {"power": self.power}

    def statistics(self, batch: Batch) -> np.ndarray:
        rows = []
        for candidate, references in zip(batch.candidates, batch.references, strict=True):
            words = set(references[0].split()) if references else set()
            rows.append((len(words & set(candidate.split())), len(words)))
        return np.asarray(rows, dtype=np.float64).reshape(-1, 2)

    def reduce(self, totals: np.ndarray) -> np.ndarray:
        return (totals[..., 0] / np.maximum(totals[..., 1], 1.0)) ** self.power


class Variety(Metric):
    """The share of different captions in a caption set; NaN for an empty set."""

    info: ClassVar[MetricInfo] = make_info(
        "variety", level=Level.SET, inputs=frozenset({Input.CAPTION_SET}), bounds=(0.0, 1.0)
    )

    def score(self, batch: Batch) -> Scores:
        shares = [len(set(captions)) / len(captions) if captions else np.nan for captions in batch.caption_sets]
        return Scores.make(batch.keys, shares)


class Vocabulary(Metric):
    """The number of different words in all candidates of a system."""

    info: ClassVar[MetricInfo] = make_info("vocabulary", level=Level.CORPUS)

    def score(self, batch: Batch) -> Scores:
        return Scores.make(["all"], [len({word for caption in batch.candidates for word in caption.split()})])


class Rarity(Fittable):
    """The mean rarity of a candidate's words among references."""

    info: ClassVar[MetricInfo] = make_info("rarity", bounds=(0.0, 1.0), fits_on=FitsOn.REFERENCES)

    def fit(self, batch: Batch, targets: np.ndarray | None, rng: np.random.Generator) -> Metric:
        return FittedRarity(Counter(word for texts in batch.references for text in texts for word in set(text.split())))


class FittedRarity(Metric):
    info: ClassVar[MetricInfo] = Rarity.info

    def __init__(self, counts: Counter[str]) -> None:
        self.counts = counts

    def score(self, batch: Batch) -> Scores:
        rarities = [[1.0 / (1 + self.counts[word]) for word in text.split()] for text in batch.candidates]
        return Scores.make(batch.keys, [sum(row) / len(row) if row else np.nan for row in rarities])


class Critic(Fittable):
    """The mean judgment of the rows learned from, whatever the candidate."""

    info: ClassVar[MetricInfo] = make_info("critic", bounds=(0.0, 5.0), fits_on=FitsOn.JUDGMENTS)

    def fit(self, batch: Batch, targets: np.ndarray | None, rng: np.random.Generator) -> Metric:
        return FittedCritic(float(targets.mean()), keys=frozenset(batch.keys))


class FittedCritic(Metric):
    info: ClassVar[MetricInfo] = Critic.info

    def __init__(self, mean: float, *, keys: frozenset[str]) -> None:
        self.mean = mean
        self.keys = keys

    @property
    def fitted_on(self) -> frozenset[str]:
        return self.keys

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [self.mean for _ in batch.candidates])


EXAMPLES = (Words, Recall, Variety, Vocabulary, Rarity, Critic)


class ExamplePlugin:
    """A plugin as an object, which registers the given classes."""

    def __init__(self, *metric_classes: type, name: str = "examples") -> None:
        self.__name__ = name
        self._metric_classes = metric_classes

    @hookimpl
    def register_metrics(self) -> tuple[type, ...]:
        return self._metric_classes

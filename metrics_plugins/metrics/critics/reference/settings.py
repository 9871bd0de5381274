"""The settings of `critic-reference`: training of its head and weights of its parts."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any, Self

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.critics.artifacts import read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticReferenceSettings:
    """How a head learns and what its score is made of.

    Attributes:
        sentence_shrinkage: Of the scatter within images towards a sphere, for sentences; above 0, at most 1.
        token_shrinkage: The same for tokens.
        sentence_power: How strongly directions that do not tell images apart are damped; 0 not at all.
        token_power: The same for tokens.
        token_images: How many images give their captions' tokens; all of them would not fit into memory.
        steps: Steps of contrastive learning of the tokens' space; 0 leaves it as the scatter gives it.
        seeds: Images drawn for a step.
        near: Images drawn beside each, among its `neighbours` nearest.
        neighbours: How many nearest images are hard negatives.
        altered: Whether a caption changed by a word, by a number or by the order of its words is a negative too.
        rate: Adam's learning rate.
        hold: How strongly the space is held where it began.
        precision: Weight of how well the references together support the candidate's words.
        recall: Weight of how well the candidate covers the references' words.
        mean: Weight of the mean cosine to the references.
        best: Weight of the cosine to the nearest reference.
    """

    sentence_shrinkage: float = 0.85
    token_shrinkage: float = 0.3
    sentence_power: float = 0.5
    token_power: float = 1.0
    token_images: int = 1500
    steps: int = 300
    seeds: int = 12
    near: int = 3
    neighbours: int = 20
    altered: bool = False
    rate: float = 3e-4
    hold: float = 1e-3
    precision: float = 0.5
    recall: float = 1.0
    mean: float = 0.0
    best: float = 0.5

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isfinite(value) or value < 0:
                raise MetricError(f"metric 'critic-reference': {field.name} must be 0 or more, got {value}")
        for name in ("sentence_shrinkage", "token_shrinkage"):
            if not 0 < getattr(self, name) <= 1:
                raise MetricError(f"metric 'critic-reference': {name} must be above 0 and at most 1")
        for name in ("token_images", "seeds", "neighbours"):
            if getattr(self, name) < 1:
                raise MetricError(f"metric 'critic-reference': {name} must be 1 or more")
        if self.near > self.neighbours:
            raise MetricError(f"metric 'critic-reference': near must be at most neighbours, {self.neighbours}")
        if not any(self.weights):
            raise MetricError("metric 'critic-reference': one of precision, recall, mean and best must be above 0")

    @property
    def weights(self) -> tuple[float, float, float, float]:
        """What the four parts count, in the order of `parts.PARTS`."""
        return self.precision, self.recall, self.mean, self.best

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """Return the settings that `to_json` wrote.

        Raises:
            MetricError: A field is unknown or out of range.
        """
        return read_settings(cls, data)

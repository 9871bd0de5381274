"""The settings of `critic-reference`: training of its head and weights of its parts."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any, Final, Self

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.critics.artifacts import read_settings

PARTS: Final = ("cosine", "best", "precision", "recall", "support", "content", "rare_precision")
"""The parts of the score, in the order of computation (`parts.measure_parts`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticReferenceSettings:
    """The settings of the training of a head, and the weights of the parts of the score.

    Attributes:
        sentence_shrinkage: The shrinkage of the within-image scatter of sentences towards a multiple of the identity,
            above 0 and at most 1.
        token_shrinkage: The same for tokens.
        sentence_power: The strength with which directions that do not separate images are damped, for sentences; 0 for
            no damping.
        token_power: The same for tokens.
        token_images: The number of images whose captions' tokens are used; those of all would not fit into memory.
        steps: The number of steps of contrastive training of the token space; 0 for none.
        seeds: The number of images drawn for a step.
        near: The number of images drawn in addition to each, from its `neighbours` nearest.
        neighbours: The number of nearest images that are hard negatives.
        altered: Whether captions with a changed word, number or word order are negatives too.
        rate: Adam's learning rate.
        hold: The weight of the penalty for the distance of the space from its initial value.
        cosine: The weight of the mean cosine to the references, the score of `sentence-cosine`.
        best: The weight of the cosine to the nearest reference.
        precision: The weight of the precision of the candidate's words.
        recall: The weight of the recall of the references' words.
        support: The weight of the sum of the support of the candidate's words less the expected support.
        content: The weight of the sum of the rarity of the candidate's words.
        rare_precision: The weight of the precision of the candidate's words weighted by their rarity.
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
    cosine: float = 0.91
    best: float = 0.45
    precision: float = -0.15
    recall: float = 0.92
    support: float = 0.92
    content: float = 0.46
    rare_precision: float = -0.24

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isfinite(value):
                raise MetricError(f"metric 'critic-reference': {field.name} must be a number, got {value}")
            # Only weights may be negative.
            if value < 0 and field.name not in PARTS:
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
            raise MetricError(f"metric 'critic-reference': one of {', '.join(PARTS)} must have a weight")

    @property
    def weights(self) -> tuple[float, ...]:
        """The weights of the `PARTS`, in their order."""
        return tuple(getattr(self, part) for part in PARTS)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """Return settings written by `to_json`.

        Raises:
            MetricError: A field is unknown or out of range.
        """
        return read_settings(cls, data)

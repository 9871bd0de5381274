"""The declaration of a metric as data."""

import re
from dataclasses import dataclass
from enum import StrEnum

from metrics_plugins.api.card import MetricCard
from metrics_plugins.api.resources import Resource

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Level(StrEnum):
    """What one score of a metric refers to."""

    SEGMENT = "segment"
    """One candidate."""
    SET = "set"
    """One caption set."""
    CORPUS = "corpus"
    """All candidates of one system."""


class Input(StrEnum):
    """A column of the batch that a metric may read."""

    CANDIDATE = "candidate"
    REFERENCES = "references"
    IMAGE = "image"
    IMAGE_KEY = "image_key"
    CAPTION_SET = "caption_set"
    WORLD = "world"


class FitsOn(StrEnum):
    """What a metric is fitted on, if anything."""

    NOTHING = "nothing"
    REFERENCES = "references"
    CAPTIONS = "captions"
    JUDGMENTS = "judgments"


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """The declaration of one metric, which has one id, one level and one score.

    Attributes:
        id: Lower-case words joined by hyphens, unique among all installed plugins.
        title: The name as printed in papers.
        level: What one score refers to.
        inputs: The batch columns that the metric may read.
        higher_is_better: Whether a larger score means a better caption.
        bounds: Lowest and highest possible score, both inclusive; infinite where there is no bound.
        version: Changes whenever a score may change; part of every signature.
        citation: The paper that defines the metric.
        fits_on: What `Fittable.fit` learns from; `NOTHING` for a plain `Metric`.
        resources: What the metric needs besides the dependencies of its package. A `Resource` is checked before a run;
            text, such as "judgments to learn from", is only shown.
        deterministic: False if the same batch may give different scores.
        card: What a reader should know of the metric; not part of the signature.

    Raises:
        ValueError: A field is invalid.
    """

    id: str
    title: str
    level: Level
    inputs: frozenset[Input]
    higher_is_better: bool
    bounds: tuple[float, float]
    version: str
    citation: str
    fits_on: FitsOn = FitsOn.NOTHING
    resources: tuple[str | Resource, ...] = ()
    deterministic: bool = True
    card: MetricCard | None = None

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ValueError(f"metric id must be lower-case words joined by hyphens, got {self.id!r}")
        if not isinstance(self.inputs, frozenset) or not all(isinstance(name, Input) for name in self.inputs):
            raise ValueError(f"inputs of metric {self.id!r} must be a frozenset of Input, got {self.inputs!r}")
        if not self.inputs:
            raise ValueError(f"metric {self.id!r} must declare at least one input, got none")
        if not isinstance(self.level, Level) or not isinstance(self.fits_on, FitsOn):
            raise ValueError(
                f"level and fits_on of metric {self.id!r} must be members of Level and FitsOn, "
                f"got {self.level!r} and {self.fits_on!r}"
            )
        if not all(isinstance(each, str | Resource) for each in self.resources):
            raise ValueError(f"resources of metric {self.id!r} must be texts or `Resource`, got {self.resources!r}")
        if self.card is not None and not isinstance(self.card, MetricCard):
            raise ValueError(f"card of metric {self.id!r} must be a MetricCard, got {self.card!r}")
        low, high = self.bounds
        if not low < high:
            raise ValueError(f"bounds of metric {self.id!r} must be (low, high) with low < high, got {self.bounds}")
        for name in ("title", "version", "citation"):
            if not getattr(self, name):
                raise ValueError(f"{name} of metric {self.id!r} must not be empty")

    @property
    def needs(self) -> str:
        """What must be installed or provided besides the inputs: the resources, then what the card says; "" if nothing.

        >>> from metrics_plugins.api.card import MetricCard
        >>> card = MetricCard("Words.", needs="A corpus can be given as the parameter corpus.")
        >>> given = {"id": "words", "title": "Words", "version": "1", "citation": "None", "bounds": (0.0, 1.0)}
        >>> given |= {"level": Level.SEGMENT, "inputs": frozenset({Input.CANDIDATE}), "higher_is_better": True}
        >>> MetricInfo(**given, resources=("spaCy", "judgments to learn from"), card=card).needs
        'spaCy, judgments to learn from. A corpus can be given as the parameter corpus.'
        """
        named = ", ".join(map(str, self.resources))
        told = self.card.needs if self.card else ""
        return f"{named}. {told}" if named and told else named or told

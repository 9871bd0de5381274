"""What scripted raters think of captions: a made-up quality that they share, seen by each with an error of their own.

Nobody looked at a picture. The quality is there so that tables of a rehearsal look as tables of people do: captions
differ, careful raters agree somewhat, and metrics agree with them somewhat. It tells nothing about metrics, and least
about those that count words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Self

import numpy as np

from studies.domain.demo.simulation import SimulatedRater, make_population
from studies.domain.queries.shown_tasks import ShownItem
from studies.models import Item, Reference

STRETCH: Final = 1.3
"""Captions of one image by two people rarely share more than two thirds of their words."""
CHANCE: Final = 0.2
"""Standard deviation of what of a caption's quality has nothing to do with its words."""
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Taste:
    """How one scripted rater sees captions.

    Attributes:
        seed: The rehearsal's: all its raters see the same qualities.
        rater: Leniency, error and care, drawn as those of the demo's raters are.
        rng: The rater's own.
    """

    seed: int
    rater: SimulatedRater
    rng: np.random.Generator

    @classmethod
    def draw(cls, *, seed: int, number: int) -> Self:
        """Return the taste of a rehearsal's rater with this number."""
        rng = np.random.default_rng([seed, number])
        return cls(seed, make_population(1, rng=rng)[0], rng)

    def perceive(self, quality: float) -> float:
        """Return a quality as the rater sees it this time, within 0 and 1."""
        return self.rater.perceive(quality, rng=self.rng)


def find_qualities(items: Sequence[ShownItem], *, seed: int) -> Mapping[int, tuple[float, ...]]:
    """Return the qualities of the captions that a task shows, in the order shown, by the item's primary key.

    Captions are held against the reference by which they are judged, or else against all references of the image.
    """
    images = dict(Item.objects.filter(pk__in=[shown.pk for shown in items]).values_list("pk", "image"))
    references: dict[int, list[str]] = {image: [] for image in images.values()}
    for image, text in Reference.objects.filter(image__in=references).values_list("image", "text"):
        references[image].append(text)
    return {
        shown.pk: tuple(
            make_quality(text, [shown.anchor] if shown.anchor else references[images[shown.pk]], seed=seed)
            for text in shown.captions
        )
        for shown in items
    }


def make_quality(caption: str, references: Sequence[str], *, seed: int) -> float:
    """Return the made-up quality of a caption, within 0 and 1: the same for a caption and a seed.

    It is the share of words in common with the nearest reference (F-measure of the two sets of words), stretched, and
    chance. Without references it is chance alone.
    """
    chance = Random(f"{seed}/{caption}")  # noqa: S311 - the same caption is as good for every rater
    if not references:
        return chance.random()
    shared = max(_share_words(caption, reference) for reference in references)
    return min(1.0, max(0.0, STRETCH * shared + chance.gauss(0.0, CHANCE)))


def _share_words(caption: str, reference: str) -> float:
    words, wanted = (set(_WORD.findall(text.lower())) for text in (caption, reference))
    return 2 * len(words & wanted) / (len(words) + len(wanted)) if words or wanted else 0.0

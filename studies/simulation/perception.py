"""The artificial quality of captions, which simulated raters perceive with individual errors.

Nobody looked at a picture. The quality exists so that the tables of a simulation resemble those of a real study:
captions differ, careful raters agree to some degree, and metrics agree with them to some degree. It says nothing about
metrics, least of all about those that count words.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Self

import numpy as np

from studies.collection.shown_tasks import ShownItem
from studies.models import Item, Reference, Study
from studies.simulation.demo.raters import SimulatedRater, make_population

WORDS: Final = 0.7
"""The difference in quality between captions that share the most and the fewest words with references."""
CHANCE: Final = 0.15
"""The standard deviation of the part of a caption's quality that is independent of its words."""
_WORD: Final = re.compile(r"\w+")

Qualities = Mapping[int, Mapping[str, float]]
"""Primary key of an item -> text of a caption -> quality."""


@dataclass(frozen=True, slots=True)
class Perception:
    """How one simulated rater perceives captions.

    Attributes:
        qualities: The qualities of all captions of the study, the same for all raters.
        rater: Leniency, error and care, drawn as for raters of the demo.
        rng: The generator of this rater.
    """

    qualities: Qualities
    rater: SimulatedRater
    rng: np.random.Generator

    @classmethod
    def draw(cls, qualities: Qualities, *, seed: int, number: int) -> Self:
        """Return the perception of a simulation's rater with this number."""
        rng = np.random.default_rng([seed, number])
        return cls(qualities, make_population(1, rng=rng)[0], rng)

    def find_qualities(self, shown: ShownItem) -> tuple[float, ...]:
        """Return the qualities of an item's captions, in the order shown."""
        return tuple(self.qualities[shown.pk][text] for text in shown.captions)

    def perceive(self, quality: float) -> float:
        """Return a quality as perceived this time, from 0 to 1."""
        return self.rater.perceive(quality, rng=self.rng)


def make_qualities(study: Study, *, seed: int) -> Qualities:
    """Return an artificial quality for every caption of a study, from 0 to 1.

    It is the rank of the caption by the share of words in common with the nearest reference of the image, or with the
    anchor, plus noise that depends on the seed and the text. Without references it is noise only.
    """
    shares = _measure_shares(study)
    known = sorted(share for of_item in shares.values() for share in of_item.values() if share is not None)
    return {
        item: {text: _make_quality(text, share, known, seed=seed) for text, share in of_item.items()}
        for item, of_item in shares.items()
    }


def _make_quality(text: str, share: float | None, known: Sequence[float], *, seed: int) -> float:
    chance = Random(f"{seed}/{text}")  # noqa: S311 - the same for every rater
    if share is None:
        return chance.random()
    # From 0 to 1; equal shares have equal ranks.
    rank = (bisect_left(known, share) + bisect_right(known, share)) / (2 * len(known))
    return min(1.0, max(0.0, 0.5 + WORDS * (rank - 0.5) + chance.gauss(0.0, CHANCE)))


def _measure_shares(study: Study) -> dict[int, dict[str, float | None]]:
    items = Item.objects.filter(task__study=study).select_related("candidate", "other_candidate", "anchor")
    references: dict[int, list[str]] = {}
    wanted = Reference.objects.filter(image__in=items.values("image"))
    for image, text in wanted.values_list("image", "text"):
        references.setdefault(image, []).append(text)
    return {
        item.pk: {
            text: _share_most(text, [item.anchor.text] if item.anchor else references.get(item.image_id, []))
            for text in _list_texts(item)
        }
        for item in items.prefetch_related("caption_set__candidates")
    }


def _list_texts(item: Item) -> list[str]:
    found = item.caption_set.candidates.all() if item.caption_set else (item.candidate, item.other_candidate)
    return [candidate.text for candidate in found if candidate]


def _share_most(caption: str, references: Sequence[str]) -> float | None:
    return max((share_words(caption, reference) for reference in references), default=None)


def share_words(caption: str, reference: str) -> float:
    """Return the F-measure of the two sets of words, ignoring case; 0 if neither has any."""
    words, wanted = (set(_WORD.findall(text.lower())) for text in (caption, reference))
    return 2 * len(words & wanted) / (len(words) + len(wanted)) if words or wanted else 0.0

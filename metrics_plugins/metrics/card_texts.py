"""Sentences that the cards of several families of bundled metrics share."""

from typing import Final

from metrics_plugins.api import Weakness

# A test compares these with the measurements of docs/metrics.md.
SECONDS: Final = "Less than half a minute for 10,000 captions on one processor."
A_MINUTE: Final = "About a minute for 10,000 captions on one processor, nearly all of it for parsing them."
MINUTES: Final = "Several minutes for 10,000 captions on one processor, nearly all of it in a network; less on a GPU."
AN_HOUR: Final = "Most of an hour for 10,000 images on one processor, nearly all of it in a network; less on a GPU."

ENCODER_NEEDS: Final = "The folder of another encoder can be given as the parameter encoder."

NUMBERS: Final = Weakness(
    "Does not notice a wrong number: of a true caption and the same caption with another number, it prefers the true "
    "one no more often than chance would.",
    "docs/worlds.md, The truth probe",
)
OVERLAP: Final = Weakness(
    "Measures overlap of words, so it is insensitive to meaning.",
    "Cui et al. (2018), section 2",
)
SHUFFLED: Final = "docs/critics.md, Robustness"


def lose_little_by_shuffling(area: float) -> Weakness:
    """Return the weakness of a metric with this area under the curve of shuffled words, where 1 is no reaction."""
    return Weakness(
        f"Reacts weakly to word order: while more and more words of a human caption are shuffled, it keeps {area:.0%} "
        "of its score on average.",
        SHUFFLED,
    )


def ignore_systems(pearson: str) -> Weakness:
    """Return the weakness of a metric whose correlation with judgments of the COCO challenge is not significant."""
    return Weakness(
        f"Did not correlate significantly with people's judgments of 12 captioning systems (Pearson {pearson}).",
        "Cui et al. (2018), table 2",
    )

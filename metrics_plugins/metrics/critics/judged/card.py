"""The card of the critic of judgments."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.card_texts import MINUTES
from metrics_plugins.metrics.publications import HOERL

CARD: Final = MetricCard(
    measures=(
        "The judgment that raters would give, predicted from the agreement of a caption with its references by a "
        "regression on judgments of other captions."
    ),
    needs="Judgments can be those of the study, of another study, or a folder that the command fit made.",
    cost=MINUTES,
    weaknesses=(
        Weakness(
            "Judgments of another kind do not transfer: learned from yes-or-no judgments, it agreed much less with "
            "experts than the metrics it is made of.",
            "docs/critics.md, Evidence on critic-judgments",
        ),
        Weakness(
            "Scores of images whose judgments it learned from would be too good; it refuses them or is cross-fitted.",
            "docs/critics.md, critic-judgments",
        ),
        Weakness(
            "An image that has different keys in two data sets is not recognized as the same.",
            "docs/critics.md, critic-judgments",
        ),
    ),
    publications=(HOERL,),
)

"""The card of the critic of references."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.card_texts import MINUTES, NUMBERS, lose_little_by_shuffling
from metrics_plugins.metrics.publications import KHATTAB, REIMERS, ZHANG

CARD: Final = MetricCard(
    measures=(
        "Agreement of a caption with its references, by seven measures in spaces of sentence and token vectors that "
        "were learned from captions; compare scores only with each other, they have no fixed scale."
    ),
    needs="The folder of another head can be given as the parameter weights.",
    cost=MINUTES,
    weaknesses=(
        Weakness(
            "It was developed on the five data sets of the benchmark matrix, so its agreement there is optimistic.",
            "docs/benchmark-matrix.md",
        ),
        lose_little_by_shuffling(0.973),
        Weakness("Lists of correct words score almost as high as captions.", "docs/critics.md, critic-reference"),
        Weakness(
            "A single wrong detail after a correct caption costs little, and rare words can raise the score of a long "
            "one.",
            "docs/critics.md, critic-reference",
        ),
        Weakness(
            "Scores with three and with four or more references are not comparable.",
            "docs/critics.md, critic-reference",
        ),
        NUMBERS,
    ),
    publications=(REIMERS, ZHANG, KHATTAB),
)

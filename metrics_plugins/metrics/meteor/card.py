"""The card of METEOR."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.card_texts import NUMBERS, SECONDS, lose_little_by_shuffling
from metrics_plugins.metrics.publications import CHEN, DENKOWSKI

METEOR: Final = MetricCard(
    measures=(
        "How well the words of the candidate can be aligned with those of the best reference, by identity, stem, "
        "synonym or paraphrase: an F-measure that favors recall, lowered where the aligned words are scattered."
    ),
    needs="The synonyms and paraphrases in pycocoevalcap are indexed once, in about a minute. Java is not needed.",
    cost=SECONDS,
    weaknesses=(
        lose_little_by_shuffling(0.911),
        Weakness(
            "A stem, synonym or paraphrase of a single word adds nothing to the weight of an alignment, so it counts "
            "only where it breaks no sequence of matches; so does the original program.",
            "Behavior of METEOR 1.5, reproduced",
        ),
        Weakness("Stems, synonyms and paraphrases are English.", "METEOR 1.5 with the option -l en, reproduced"),
        NUMBERS,
    ),
    publications=(DENKOWSKI, CHEN),
)

"""The cards of the metrics of n-grams, common subsequences and length."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.card_texts import (
    NUMBERS,
    OVERLAP,
    SECONDS,
    SHUFFLED,
    ignore_systems,
    lose_little_by_shuffling,
)
from metrics_plugins.metrics.publications import CHEN, HESSEL, LIN, PAPINENI, VEDANTAM

_NO_ORDER: Final = Weakness("Ignores word order: shuffling the words of a caption leaves the score as it is.", SHUFFLED)
_FOR_SUMMARIES: Final = Weakness("Was designed to evaluate text summaries.", "Chen et al. (2015), section 3.4")
_PEARSON: Final = {1: ".12", 2: ".04", 3: ".00", 4: "-.02"}
_WORDS: Final = {1: "single words", 2: "words and pairs of words", 3: "up to 3 words", 4: "up to 4 words"}


def describe_bleu(order: int) -> MetricCard:
    """Return the card of BLEU-1 to BLEU-4."""
    own = (
        _NO_ORDER
        if order == 1
        else Weakness(
            "Compares single captions poorly, because longer n-grams rarely match in one sentence; it suits whole "
            "systems.",
            "Chen et al. (2015), section 3.3",
        )
    )
    return MetricCard(
        measures=(
            f"Precision of n-grams: the share of the candidate's n-grams ({_WORDS[order]}) that a reference contains, "
            "as a geometric mean over their lengths, lowered if the candidate is shorter than the closest reference."
        ),
        cost=SECONDS,
        weaknesses=(own, OVERLAP, ignore_systems(_PEARSON[order]), NUMBERS),
        publications=(PAPINENI, CHEN),
    )


def describe_rouge_n(order: int) -> MetricCard:
    """Return the card of ROUGE-1 or ROUGE-2."""
    unit = "words" if order == 1 else "pairs of consecutive words"
    only_recall = Weakness(
        "Measures only recall: further words in a caption never lower the score.", "Chen et al. (2015), equation 4"
    )
    return MetricCard(
        measures=f"Recall: the share of the {unit} of all references together that the candidate contains.",
        cost=SECONDS,
        weaknesses=(*((_NO_ORDER,) if order == 1 else ()), only_recall, _FOR_SUMMARIES, OVERLAP, NUMBERS),
        publications=(LIN, CHEN),
    )


ROUGE_L: Final = MetricCard(
    measures=(
        "The longest sequence of words that candidate and reference share in the same order, with gaps allowed: an "
        "F-measure of its share of each, which favors recall."
    ),
    cost=SECONDS,
    weaknesses=(
        Weakness("Favors long captions.", "Wang et al. (2020), On diversity in image captioning, section 2.2"),
        Weakness(
            "Precision and recall may come from different references, each from the best one.",
            "Chen et al. (2015), section 3.4",
        ),
        lose_little_by_shuffling(0.838),
        ignore_systems(".09"),
        _FOR_SUMMARIES,
        NUMBERS,
    ),
    publications=(LIN, CHEN),
)
ROUGE_S: Final = MetricCard(
    measures=(
        "The pairs of words, at most four positions apart, that candidate and reference share in the same order: an "
        "F-measure of precision and recall, which favors recall."
    ),
    cost=SECONDS,
    weaknesses=(
        Weakness(
            "Precision and recall may come from different references, each from the best one.",
            "Chen et al. (2015), section 3.4",
        ),
        lose_little_by_shuffling(0.782),
        _FOR_SUMMARIES,
        NUMBERS,
    ),
    publications=(LIN, CHEN),
)

_FREQUENCIES: Final = Weakness(
    "Depends on the other images that are scored, because n-grams are weighted by how many images' references have "
    "them; scores of different sets of images are comparable only with a fixed table of frequencies.",
    "docs/plugins.md, Document frequencies",
)
_MEANING: Final = Weakness(
    "Cannot reflect meaning beyond shared words.",
    "Wang et al. (2020), On diversity in image captioning, section 7",
)
_COMMON_WORDS: Final = Weakness(
    "Captioners that are trained to raise it use common words and lose diversity.",
    "Wang et al. (2020), On diversity in image captioning, section 6.2",
)
CIDER: Final = MetricCard(
    measures=(
        "Consensus with the references: similarity of n-grams of 1 to 4 words, weighted so that those of few images "
        "count most, averaged over references and multiplied by 10."
    ),
    cost=SECONDS,
    weaknesses=(
        _FREQUENCIES,
        Weakness(
            "Can be gamed by captions that people judge as poor; CIDEr-D was made to prevent this.",
            "Chen et al. (2015), section 3.6",
        ),
        lose_little_by_shuffling(0.800),
        _MEANING,
        _COMMON_WORDS,
        NUMBERS,
    ),
    publications=(VEDANTAM, CHEN),
)
CIDER_D: Final = MetricCard(
    measures=(
        "Consensus with the references, as CIDEr, but repeated n-grams count no more often than in the reference, and "
        "captions of another length than the reference score lower."
    ),
    cost=SECONDS,
    weaknesses=(
        _FREQUENCIES,
        lose_little_by_shuffling(0.799),
        Weakness("Uses no stemming.", "Chen et al. (2015), section 3.6"),
        _MEANING,
        _COMMON_WORDS,
        NUMBERS,
    ),
    publications=(VEDANTAM, CHEN),
)
LENGTH: Final = MetricCard(
    measures="The number of words of the caption: a baseline that any metric should exceed.",
    cost=SECONDS,
    weaknesses=(
        Weakness("Reads neither image nor references.", "Its definition"),
        Weakness(
            "Agrees with people no better than chance, or worse, on four of five published data sets.",
            "docs/benchmark-matrix.md",
        ),
    ),
    publications=(HESSEL,),
)

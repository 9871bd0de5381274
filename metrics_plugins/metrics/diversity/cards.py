"""The cards of the metrics of caption sets and of a system's vocabulary."""

from typing import Final

from metrics_plugins.api import MetricCard, Publication, Weakness
from metrics_plugins.metrics.card_texts import SECONDS
from metrics_plugins.metrics.publications import MILTENBURG, SHETTY, TEMPLIN, VEDANTAM, WANG_WAN

_WANG: Final = "Wang et al. (2020), On diversity in image captioning"
_NO_ACCURACY: Final = Weakness(
    "Says nothing about accuracy: captions that are sampled at random from a captioner are diverse, but less accurate.",
    f"{_WANG}, section 4",
)
_FREQUENCIES: Final = Weakness(
    "Depends on the other images that are scored, whose references weight the n-grams.", "Its definition"
)
_ROUGH: Final = Weakness(
    "Reflects diversity only roughly, because it counts words and ignores how captions relate to each other.",
    f"{_WANG}, section 1",
)


def describe_mbleu(order: int) -> MetricCard:
    """Return the card of mBLEU-1 to mBLEU-4 of caption sets."""
    pearson = {1: ".567", 2: ".576", 3: ".581", 4: ".585"}[order]
    return MetricCard(
        measures=f"Repetition within a set of captions: the BLEU-{order} of each caption against the others. Lower is "
        "more diverse.",
        cost=SECONDS,
        weaknesses=(
            Weakness(
                f"Agrees less with people's ratings of diversity (Pearson {pearson}) than LSA (.601) and Self-CIDEr "
                "(.616).",
                f"{_WANG}, table 1",
            ),
            *_OF_MBLEU,
        ),
        publications=(WANG_WAN, SHETTY),
    )


def describe_mbleu_corpus(order: int) -> MetricCard:
    """Return the card of mBLEU-1 to mBLEU-4 of whole systems."""
    return MetricCard(
        measures=(
            f"Repetition within sets of captions, for a whole system: the BLEU-{order} of the first, second, ... "
            "captions of all sets against the others of their sets. Lower is more diverse."
        ),
        cost=SECONDS,
        weaknesses=(
            Weakness(
                "Depends on the order of captions in their sets, and differs from the mean of mBLEU over sets.",
                "Its definition",
            ),
            *_OF_MBLEU,
        ),
        publications=(SHETTY, WANG_WAN),
    )


def describe_div(order: int) -> MetricCard:
    """Return the card of Div-1 or Div-2."""
    unit = "words" if order == 1 else "pairs of consecutive words"
    return _describe_counts(f"Variety within a set of captions: the number of different {unit} per word.", SHETTY)


def describe_segmented_ratio(order: int) -> MetricCard:
    """Return the card of the type-token ratio per thousand words or bigrams."""
    unit = "words" if order == 1 else "pairs of consecutive words"
    return _describe_counts(
        f"Variety of all captions of a system: different {unit} per {unit}, in segments of a thousand, on average. "
        "Systems with different numbers of words are comparable.",
        MILTENBURG,
    )


def _describe_counts(measures: str, publication: Publication, *own: Weakness) -> MetricCard:
    return MetricCard(
        measures=measures, cost=SECONDS, weaknesses=(*own, _ROUGH, _NO_ACCURACY), publications=(publication,)
    )


_OF_MBLEU: Final = (
    Weakness(
        "Compares a caption with the others as a whole and not in pairs, and cannot reflect diversity of meaning.",
        f"{_WANG}, section 2.2",
    ),
    Weakness("Its scale is uneven: most sets lie at the lower or the upper end.", f"{_WANG}, section 6.1"),
    _NO_ACCURACY,
)
MBLEU_MIX: Final = MetricCard(
    measures="Diversity of a set of captions: 1 minus the mean of mBLEU-1 to mBLEU-4.",
    cost=SECONDS,
    weaknesses=(
        Weakness(
            "Agrees less with people's ratings of diversity (Pearson .585) than LSA (.601) and Self-CIDEr (.616).",
            f"{_WANG}, table 1",
        ),
        *_OF_MBLEU,
    ),
    publications=(WANG_WAN,),
)
LSA: Final = MetricCard(
    measures="Diversity of a set of captions: over how many topics of words its captions spread, from their word "
    "counts.",
    cost=SECONDS,
    weaknesses=(
        Weakness("Considers word counts only and ignores phrases and sentence structure.", f"{_WANG}, section 3.2"),
        _NO_ACCURACY,
    ),
    publications=(WANG_WAN,),
)
SELF_CIDER: Final = MetricCard(
    measures="Diversity of a set of captions: over how many topics its captions spread, from the CIDEr of each pair of "
    "them.",
    cost=SECONDS,
    weaknesses=(_FREQUENCIES, _NO_ACCURACY),
    publications=(WANG_WAN, VEDANTAM),
)
SELF_CIDER_D: Final = MetricCard(
    measures=(
        "Diversity of a set of captions, as Self-CIDEr, but from the CIDEr-D of each pair, as the authors' program "
        "does."
    ),
    cost=SECONDS,
    weaknesses=(
        Weakness(
            "The order of captions may matter, because CIDEr-D of two captions is not symmetric.", "Its definition"
        ),
        _FREQUENCIES,
        _NO_ACCURACY,
    ),
    publications=(WANG_WAN, VEDANTAM),
)
M_CIDER: Final = MetricCard(
    measures="Repetition within a set of captions: the mean CIDEr of each caption with all of the set. Lower is more "
    "diverse.",
    cost=SECONDS,
    weaknesses=(_FREQUENCIES, _NO_ACCURACY),
    publications=(WANG_WAN, VEDANTAM),
)
SET_CIDER: Final = MetricCard(
    measures="Accuracy of a set of captions: the mean CIDEr of its captions with the references.",
    cost=SECONDS,
    weaknesses=(
        Weakness(
            "Says nothing about diversity: captioners with a high value tend to repeat common words.",
            f"{_WANG}, section 6.2",
        ),
        _FREQUENCIES,
    ),
    publications=(WANG_WAN, VEDANTAM),
)
F_BETA: Final = MetricCard(
    measures="Accuracy and diversity of a set of captions in one number: an F-measure of CIDEr and Self-CIDEr.",
    cost=SECONDS,
    weaknesses=(
        Weakness(
            "Accuracy runs from 0 to 10 and diversity from 0 to 1, so that it is difficult to choose beta.",
            f"{_WANG}, section 3.3",
        ),
        _FREQUENCIES,
    ),
    publications=(WANG_WAN, VEDANTAM),
)
NOVELTY: Final = MetricCard(
    measures="The share of the captions of a set that do not occur in a corpus, usually the training captions.",
    needs="A corpus of captions: --corpus on the command line.",
    cost=SECONDS,
    weaknesses=(
        Weakness("A change of one word makes a caption novel.", "Its definition"),
        Weakness("Novelty of a caption is difficult to define.", f"{_WANG}, section 1"),
        _NO_ACCURACY,
    ),
    publications=(SHETTY,),
)
COVERAGE: Final = MetricCard(
    measures=(
        "How much of the vocabulary a system uses: of the words that occur in the training captions and in the "
        "references, the share in its captions."
    ),
    needs="A corpus of captions: --corpus on the command line.",
    cost=SECONDS,
    weaknesses=(
        Weakness(
            "Grows with the number of captions, so only systems with captions of the same images are comparable.",
            "Its definition",
        ),
        _NO_ACCURACY,
    ),
    publications=(MILTENBURG,),
)
VOCABULARY_SIZE: Final = _describe_counts(
    "The number of different words in all captions of a system.",
    SHETTY,
    Weakness(
        "Grows with the number of captions, so only systems with captions of the same images are comparable.",
        "Its definition",
    ),
)
TTR: Final = _describe_counts(
    "Variety of all captions of a system: the number of different words per word.",
    TEMPLIN,
    Weakness(
        "Falls as the number of captions grows, so only systems with equally many words are comparable.",
        "Richards (1987), Type/token ratios: what do they really tell us?",
    ),
)

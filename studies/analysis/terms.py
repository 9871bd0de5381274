"""The statistical terms that pages explain, each with a short definition and its section in docs/statistics.md."""

from dataclasses import dataclass
from typing import Final

from correlation.protocols.row import LEFT_OUT


@dataclass(frozen=True, slots=True)
class Term:
    """A term as pages write it, its definition in one or two sentences, and the anchor of its section."""

    title: str
    text: str
    anchor: str


_COEFFICIENTS: Final = "coefficients"
_RATERS: Final = "agreement-of-raters"
TERMS: Final = {
    "pearson": Term(
        "Pearson r",
        "Linear correlation, from -1 to 1. It uses the size of differences and is sensitive to outliers.",
        _COEFFICIENTS,
    ),
    "spearman": Term(
        "Spearman \N{GREEK SMALL LETTER RHO}",
        "Pearson correlation of the ranks, from -1 to 1. Only the order counts.",
        _COEFFICIENTS,
    ),
    "kendall": Term(
        "Kendall τ",
        "The share of pairs that two rankings order alike, minus the share that they order differently, from -1 to 1. "
        "The variants treat ties differently, so compare numbers of one variant only.",
        _COEFFICIENTS,
    ),
    "accuracy": Term(
        "accuracy on pairs",
        "The share of pairs in which the metric gives the higher score to the caption that people chose.",
        "accuracy-on-pairs",
    ),
    "level": Term(
        "level",
        "What one number is computed over: all captions together, the captions within each image, or the mean of each "
        "system.",
        "levels",
    ),
    "interval": Term(
        "confidence interval",
        "A range computed so that, in 95 % of repeated studies, it contains the value for all images of the kind. "
        "It comes from resampling images, because captions of one image share its difficulty.",
        "intervals",
    ),
    "bootstrap": Term(
        "bootstrap",
        "Computing a number again and again on units drawn with replacement, to see how much it varies.",
        "intervals",
    ),
    "permutation": Term(
        "permutation test",
        "Scores of two metrics are swapped at random. The p-value says how often a difference as large as the observed "
        "one arises in this way.",
        "differences-between-metrics",
    ),
    "p-value": Term(
        "p-value",
        "The probability of a difference at least as large as the observed one if there were none. It is not the "
        "probability that there is no difference.",
        "differences-between-metrics",
    ),
    "alpha": Term(
        "significance level \N{GREEK SMALL LETTER ALPHA}",
        "A difference counts as found if its corrected p-value is below this level, .05 by default.",
        "defaults",
    ),
    "correction": Term(
        "correction for multiple tests",
        "Among many tests some are significant by chance. Holm's correction limits the probability of any false "
        "finding, Benjamini and Hochberg's (bh) the share of false ones among the findings.",
        "differences-between-metrics",
    ),
    "letters": Term(
        "letters",
        "Two metrics share a letter if and only if the test found no significant difference between them.",
        "differences-between-metrics",
    ),
    "ceiling": Term(
        "human ceiling",
        "How well people predict people, in the same coefficient as the metrics. A metric near it agrees with people "
        "about as well as they agree with each other.",
        "the-human-ceiling",
    ),
    "agreement": Term(
        "agreement of raters",
        "How alike different raters judge the same items. 1 is perfect agreement, 0 what chance would give.",
        _RATERS,
    ),
    "krippendorff": Term(
        "Krippendorff \N{GREEK SMALL LETTER ALPHA}",
        "Agreement of any number of raters, also with missing judgments. 1 is perfect agreement, 0 chance.",
        _RATERS,
    ),
    "multiverse": Term(
        "multiverse analysis",
        "The same comparison under all defensible choices of analysis, to see which findings depend on a choice.",
        "levels",
    ),
    "power": Term(
        "power",
        "The probability that a study of this size finds a difference of a given size, if it exists.",
        "planning",
    ),
    "stopping": Term(
        "stopping rule",
        "When data collection ends, fixed before it begins. Looking at results and going on until something is "
        "significant gives false findings.",
        "looking-before-a-study-is-complete",
    ),
    "missing": Term("missing", f"Rows that are left out, and counted here: {LEFT_OUT}.", "references-of-a-row"),
}
"""Name in templates -> term."""
_MEASURES: Final = ("pearson", "spearman", "kendall", "accuracy", "krippendorff")


def find_measure(text: str) -> str:
    """Return the name of the term for a coefficient, or for a heading that names one; empty if there is none.

    >>> find_measure("kendall-c"), find_measure("Kendall τ-c, item level"), find_measure("fleiss")
    ('kendall', 'kendall', '')
    """
    return next((name for name in _MEASURES if name in text.lower()), "")

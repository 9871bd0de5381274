"""The cards of SPICE, its parts, SPICE-U and uniqueness."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.card_texts import A_MINUTE, NUMBERS
from metrics_plugins.metrics.publications import ANDERSON, WANG_FENG

_NEEDS: Final = (
    "Synonyms come from pycocoevalcap; Java is not needed. With a file of tuples as the parameter tuples, no parser is "
    "needed."
)
_PARSER: Final = Weakness(
    "Captions are parsed by spaCy and rules of Accordance instead of Stanford's parser, so single scores differ from "
    "the official program's.",
    "docs/spice.md",
)
_SYNTAX: Final = Weakness(
    "Tends to ignore the syntax of a caption and prefers long sentences with repeated clauses.",
    "Cui et al. (2018), section 1",
)
_COMMON: Final = Weakness(
    "Common and rare concepts count the same, so that captions that list the ten most common objects rivaled a "
    "captioner.",
    "Wang et al. (2020), Towards unique and informative captioning, section 3",
)
_NOT_ONE_TO_ONE: Final = Weakness(
    "Matching is not one to one, so that a score may exceed 1.", "docs/spice.md, The rules after parsing"
)
_TIES: Final = Weakness(
    "Many scores are exactly 0, so that ties are frequent.", "docs/spice.md, The rules after parsing"
)

SPICE: Final = MetricCard(
    measures=(
        "Agreement of content instead of wording: candidate and references are parsed into objects, attributes and "
        "relations, and the score is the F-measure of the candidate's against those of all references together."
    ),
    needs=_NEEDS,
    cost=A_MINUTE,
    weaknesses=(
        _SYNTAX,
        _COMMON,
        Weakness(
            "All references form one graph, so that imperfect recall lowers the score of a caption in which everything "
            "is right.",
            "Xie et al. (2019), results for SPICE",
        ),
        _TIES,
        _NOT_ONE_TO_ONE,
        _PARSER,
        NUMBERS,
    ),
    publications=(ANDERSON,),
)
SPICE_U: Final = MetricCard(
    measures=(
        "SPICE together with uniqueness, as a harmonic mean: a caption must be correct and mention rare concepts."
    ),
    needs=_NEEDS,
    cost=A_MINUTE,
    weaknesses=(
        Weakness(
            "Depends on the corpus in which concepts are counted, by default the references of the scored images.",
            "Wang et al. (2020), Towards unique and informative captioning, section 4",
        ),
        Weakness(
            "Uniqueness compares concepts by name: a word and its synonym are two concepts.",
            "docs/spice.md, SPICE-U and the table of concepts",
        ),
        _SYNTAX,
        _PARSER,
        NUMBERS,
    ),
    publications=(WANG_FENG, ANDERSON),
)
UNIQUENESS: Final = MetricCard(
    measures=(
        "How unusual the objects, attributes and relations of a caption are, among those that candidate and references "
        "mention: 1 for the rarest choice, 0 for the most common one."
    ),
    needs=_NEEDS,
    cost=A_MINUTE,
    weaknesses=(
        Weakness(
            "Says nothing about truth: it is a part of SPICE-U, not a measure of quality by itself.",
            "Wang et al. (2020), Towards unique and informative captioning, section 4",
        ),
        *SPICE_U.weaknesses[:2],
        _PARSER,
    ),
    publications=(WANG_FENG,),
)


def describe_part(what: str) -> MetricCard:
    """Return the card of SPICE for one kind of tuple, named in the plural."""
    return MetricCard(
        measures=f"Agreement of content, as SPICE, in {what} only.",
        needs=_NEEDS,
        cost=A_MINUTE,
        weaknesses=(
            Weakness(
                f"Undefined for a row whose references mention no {what}; the mean of a system leaves such rows out.",
                "docs/spice.md",
            ),
            _TIES,
            _NOT_ONE_TO_ONE,
            _PARSER,
        ),
        publications=(ANDERSON,),
    )

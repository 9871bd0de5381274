"""The original's language, transcribed from its description independently of our grammar, as a source of sentences.

Words in upper case are rules. Number bounds and comparisons of quantities are those of its complex quantification.
"""

import random
from collections.abc import Iterator
from functools import cache

_COLORS = "red green blue yellow magenta cyan gray"
_SHAPES = "square rectangle triangle pentagon cross circle semicircle"
_SELECTORS = (
    "left right upper lower smaller bigger darker lighter leftmost rightmost uppermost lowermost "
    "smallest biggest darkest lightest"
)
_SEVERAL = "two three four five"
_PLURALS = "squares rectangles triangles pentagons crosses circles semicircles ellipses"

RULES: dict[str, tuple[str, ...]] = {
    "CAPTION": (
        "CLAUSE .",
        "CLAUSE and CLAUSE .",
        "CLAUSE or CLAUSE .",
        "either CLAUSE or CLAUSE .",
        "CLAUSE if and only if CLAUSE .",
        "if CLAUSE CLAUSE .",
        "CLAUSE if CLAUSE .",
    ),
    "CLAUSE": ("there is NP", "NP BODY", "SELECTED BODY", "QUANTIFIED", "BOUNDED", "COMPARED"),
    "NP": ("a COLOR shape", "a shape", "a COLOR SHAPE", "a COLOR ellipse", "a SHAPE", "an ellipse"),
    "N": ("COLOR shape", "shape", "COLOR SHAPE", "COLOR ellipse", "SHAPE", "ellipse"),
    "NS": ("COLOR shapes", "shapes", "COLOR SHAPES", "SHAPES"),
    "BODY": ("is COLOR", "is NP", "is RELATION", "is not RELATION", "exists besides NP", "does not exist besides NP"),
    "RELATION": (
        "to the left of NP",
        "to the right of NP",
        "above NP",
        "below NP",
        "behind NP",
        "in front of NP",
        "smaller than NP",
        "bigger than NP",
        "darker than NP",
        "lighter than NP",
        "the same shape as NP",
        "a different shape from NP",
        "the same color as NP",
        "a different color from NP",
        "closer to NP than the N",
        "farther from NP than the N",
        "closer to the N than NP",
        "farther from the N than NP",
    ),
    "SELECTED": (
        "the SELECTOR N",
        "the COLOR SELECTOR shape",
        "the COLOR SELECTOR SHAPE",
        "the COLOR SELECTOR ellipse",
        "the N NEARNESS the N",
        "the closest N to the N",
        "the closer N to the N",
        "the farthest N from the N",
        "the farther N from the N",
    ),
    "SELECTOR": tuple(_SELECTORS.split()),
    "NEARNESS": ("closer to", "farther from", "closest to", "farthest from"),
    "QUANTIFIED": (
        "MODIFIER one N SINGULAR",
        "MODIFIER no N SINGULAR",
        "MODIFIER COUNT NS PLURAL",
        "MODIFIER all NS PLURAL",
        "MODIFIER half the NS PLURAL",
        "MODIFIER FRACTION of the NS PART",
        # Without a modifier, and the negative count, until spring 2018.
        "no N SINGULAR",
        "all NS PLURAL",
        "half the NS PLURAL",
        "FRACTION of the NS PART",
        "most NS PLURAL",
        "few NS PLURAL",
        "MODIFIER all but one NS PLURAL",
    ),
    "MODIFIER": ("exactly", "not", "at least", "at most", "more than", "less than"),
    "COUNT": ("zero", "two", "three", "four", "five"),
    "FRACTION": ("a quarter", "a third", "two thirds", "three quarters"),
    "SINGULAR": ("is COLOR", "is NP"),
    "PLURAL": ("are COLOR", "are NS"),
    "PART": ("are COLOR", "are NS", "is COLOR", "is NS"),
    "BOUNDED": (
        "MODIFIER one of the BOUND NS SINGULAR",
        "MODIFIER COUNT of the BOUND NS PLURAL",
        "MODIFIER FRACTION of the BOUND NS PART",
        "MODIFIER half the BOUND NS PLURAL",
        "MODIFIER all the BOUND NS PLURAL",
        "MODIFIER none of the BOUND NS SINGULAR",
        "half the BOUND NS PLURAL",
        "all the BOUND NS PLURAL",
        "none of the BOUND NS SINGULAR",
    ),
    "BOUND": ("two", "three", "four", "five", "six", "seven", "eight"),
    "COMPARED": (
        "half as many NS as NS PLURAL",
        "twice as many NS as NS PLURAL",
        "less than half as many NS as NS PLURAL",
        "more than half as many NS as NS PLURAL",
        "less than twice as many NS as NS PLURAL",
        "more than twice as many NS as NS PLURAL",
        "as many NS as NS PLURAL",
        "more NS than NS PLURAL",
        "less NS than NS PLURAL",
        "one more N than NS SINGULAR",
        "one less N than NS SINGULAR",
        *(f"{number} {more} NS than NS PLURAL" for number in _SEVERAL.split() for more in ("more", "less")),
    ),
    "COLOR": tuple(_COLORS.split()),
    "SHAPE": tuple(_SHAPES.split()),
    "SHAPES": tuple(_PLURALS.split()),
}


def list_sentences(seed: int, *, n_each: int) -> list[str]:
    """Return sentences in which every alternative of every rule occurs at least `n_each` times."""
    rng = random.Random(seed)
    return [
        " ".join(_expand("CAPTION", rng, wanted=(rule, alternative)))
        for rule, alternatives in RULES.items()
        for alternative in alternatives
        for _ in range(n_each)
    ]


def _expand(rule: str, rng: random.Random, *, wanted: tuple[str, str] | None) -> Iterator[str]:
    if wanted is not None and wanted[0] == rule:
        chosen, wanted = wanted[1], None
    elif wanted is not None:
        chosen = rng.choice([each for each in RULES[rule] if _reaches(each, wanted[0])])
    else:
        chosen = rng.choice(RULES[rule])
    symbols = chosen.split()
    ways = [place for place, symbol in enumerate(symbols) if wanted and _reaches(symbol, wanted[0])]
    way = rng.choice(ways) if ways else None
    for place, symbol in enumerate(symbols):
        if symbol in RULES:
            yield from _expand(symbol, rng, wanted=wanted if place == way else None)
        else:
            yield symbol


@cache
def _reaches(text: str, rule: str) -> bool:
    """Return whether a rule can occur in what the symbols expand to; no rule contains itself."""
    return any(
        symbol == rule or (symbol in RULES and any(_reaches(each, rule) for each in RULES[symbol]))
        for symbol in text.split()
    )

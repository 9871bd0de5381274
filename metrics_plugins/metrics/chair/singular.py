"""Singular forms of nouns as the published CHAIR program has them, mistakes included, or mended."""

import re
from collections.abc import Callable, Set
from functools import partial
from typing import Final, Literal, TypeAlias

Rules: TypeAlias = Literal["published", "mended"]

_KEPT: Final = frozenset({"is", "scissors", "series", "species", "jeans", "shears", "news", "ears", "sis", "quarters"})
_NEVER_Y: Final = ("collies", "cookies", "doggies", "hoodies", "rookies", "veggies", "zombies")
# The first ending that fits is replaced.
_ENDINGS: Final = tuple(
    (re.compile(ending + r"\Z"), singular)
    for ending, singular in (
        ("children", "child"),
        ("people", "person"),
        ("men", "man"),
        ("geese", "goose"),
        ("oxen", "ox"),
        ("kine", "cow"),
        (".*buses", "bus"),
        ("feet", "foot"),
        ("teeth", "tooth"),
        (r"(?<=[ml])ice", "ouse"),
        (r"(?<=wi|ni|li)ves", "fe"),
        (r"(?<=l|r)ves", "f"),
        (r"(?<=ea|oa)ves", "f"),
        (r"(?<=[^aeiouy])ies", "y"),
        (r"(?<=o|x)es", ""),
        (r"(?<=ch|sh|ss)es", ""),
        ("s", ""),
    )
)


def choose_singular(rules: Rules, *, words: Set[str]) -> Callable[[str], str]:
    """Return the function that gives the singular of a word in lower case.

    Args:
        rules: `published` cuts the last letter of every other word in -s: "bus" becomes "bu", "glass" "glas",
            "tennis" "tenni"; and it makes "ty" of "ties", "cano" of "canoes". `mended` leaves one of `words` alone,
            and cuts but an -s where only that makes one of them.
        words: The singular forms that are looked for.
    """
    return make_singular if rules == "published" else partial(_mend, words=words)


def make_singular(word: str) -> str:
    """Return the published singular: right wherever it may name an object of CHAIR, rough for other words."""
    if word in _KEPT:
        return word
    if word.endswith(_NEVER_Y):
        return word[:-1]
    for ending, singular in _ENDINGS:
        found = ending.search(word)
        if found:
            return word[: found.start()] + singular
    return word


def _mend(word: str, *, words: Set[str]) -> str:
    if word in words:
        return word
    singular = make_singular(word)
    is_lost = singular not in words and word.endswith("s") and word[:-1] in words
    return word[:-1] if is_lost else singular

"""Singular forms of nouns, as in the published CHAIR program including its errors, or corrected."""

import re
from collections.abc import Callable, Set
from functools import partial
from typing import Final, Literal, TypeAlias

Rules: TypeAlias = Literal["published", "corrected"]

_KEPT: Final = frozenset({"is", "scissors", "series", "species", "jeans", "shears", "news", "ears", "sis", "quarters"})
_NEVER_Y: Final = ("collies", "cookies", "doggies", "hoodies", "rookies", "veggies", "zombies")
# The first matching ending is replaced.
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
    """Return a function that returns the singular of a lower-case word.

    Args:
        rules: `published` removes the last letter of every other word in -s: "bus" becomes "bu", "glass" "glas",
            "tennis" "tenni"; it also makes "ty" of "ties" and "cano" of "canoes". `corrected` keeps a word that is in
            `words`, and removes only an -s if that alone makes the word one of them.
        words: The known singular forms.
    """
    return make_singular if rules == "published" else partial(_mend, words=words)


def make_singular(word: str) -> str:
    """Return the published singular: correct for objects of CHAIR, approximate for other words."""
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

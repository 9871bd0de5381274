"""How the Penn Treebank tokeniser writes the tokens it finds."""

import re
from enum import Enum, auto


class Spelling(Enum):
    """How a token is written, before lower case."""

    PLAIN = auto()
    """As it stands in the text."""
    WORD = auto()
    """Without soft hyphens, and with plain signs for entities."""
    UNBROKEN = auto()
    """With no-break blanks for the blanks inside, and names for its parentheses."""
    CONTRACTION = auto()
    """With a straight apostrophe."""
    ABBREVIATION = auto()
    """With the full stop after it, which is a token of its own too."""
    NOTHING = auto()
    """Not at all."""
    DASH = auto()
    """As two hyphens."""
    ELLIPSIS = auto()
    """As three full stops."""
    SIGN = auto()
    """By the table of signs; as it stands where the table has none."""


_BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
_APOSTROPHES = {"\x91": "`", "\u2018": "`", "\u201b": "`", "\x92": "'", "\u2019": "'"}
_QUOTES = {
    "\u2039": "`",
    "\u203a": "'",
    "\x93": "``",
    "\u201c": "``",
    "\xab": "``",
    "\x94": "''",
    "\u201d": "''",
    "\xbb": "''",
}
_CURRENCIES = {"\x80": "$", "\xa4": "$", "\u20a0": "$", "\u20ac": "$", "\xa3": "#", "\xa2": "cents"}
_FRACTIONS = {"\xbc": "1/4", "\xbd": "1/2", "\xbe": "3/4", "\u2153": "1/3", "\u2154": "2/3"}
_ENTITIES = {"&AMP;": "&", "&LT;": "<", "&GT;": ">", "&NBSP;": ""}
_SIGNS = _BRACKETS | _APOSTROPHES | _QUOTES | _CURRENCIES | _FRACTIONS
_OPENS_DOUBLE = re.compile("[A-Za-z0-9$]")
_OPENS_SINGLE = re.compile("[A-Za-z][^ \t\xa0\n]")
_UNBROKEN = str.maketrans({"(": "-lrb-", ")": "-rrb-", " ": "\xa0"})
_STRAIGHT_APOSTROPHES = str.maketrans(_APOSTROPHES)


def spell(token: str, spelling: Spelling, *, following: str) -> str:
    """Return a token as it is written, in lower case.

    Args:
        token: The token as it stands in the text.
        spelling: How its rule writes it.
        following: The two characters after it, which decide the direction of straight quotes.
    """
    match spelling:
        case Spelling.PLAIN:
            written = token
        case Spelling.WORD:
            written = token.replace("\xad", "").replace("&amp;", "&") or "-"
        case Spelling.UNBROKEN:
            written = token.translate(_UNBROKEN)
        case Spelling.CONTRACTION:
            written = token.replace("&apos;", "'").translate(_STRAIGHT_APOSTROPHES)
        case Spelling.ABBREVIATION:
            written = token + "."
        case Spelling.NOTHING:
            written = ""
        case Spelling.DASH:
            written = "--"
        case Spelling.ELLIPSIS:
            written = "..."
        case Spelling.SIGN:
            written = _spell_sign(token, following=following)
    return written.lower()


def _spell_sign(sign: str, *, following: str) -> str:
    if sign in ('"', "&quot;"):
        return "``" if _OPENS_DOUBLE.match(following) else "''"
    if sign == "'":
        return "`" if _OPENS_SINGLE.match(following) else "'"
    if sign == "&apos;":
        return "'"
    if sign[0] == "&":
        return _ENTITIES.get(sign.upper(), sign)
    return "".join(_SIGNS.get(character, character) for character in sign)

"""The spelling of tokens in the output of the Penn Treebank tokeniser."""

import re
from enum import Enum, auto


class Spelling(Enum):
    """The spelling of a token before it is converted to lower case."""

    PLAIN = auto()
    """Unchanged."""
    WORD = auto()
    """Without soft hyphens, and with plain signs for entities."""
    UNBROKEN = auto()
    """With no-break spaces inside, and names for parentheses."""
    CONTRACTION = auto()
    """With a straight apostrophe."""
    ABBREVIATION = auto()
    """With the following full stop, which is also a separate token."""
    NOTHING = auto()
    """Dropped."""
    DASH = auto()
    """As two hyphens."""
    ELLIPSIS = auto()
    """As three full stops."""
    SIGN = auto()
    """As in the table of signs, or unchanged if it is not in the table."""


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
    """Return the spelling of a token in lower case.

    Args:
        token: The token as in the text.
        spelling: The spelling of its rule.
        following: The two characters after it, which determine the direction of straight quotes.
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

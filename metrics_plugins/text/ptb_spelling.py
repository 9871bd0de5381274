"""How the Penn Treebank tokeniser writes the tokens it finds."""

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
_APOSTROPHES = {"\x91": "`", "‘": "`", "‛": "`", "\x92": "'", "’": "'"}
_SIGNS = {
    **_BRACKETS,
    **_APOSTROPHES,
    **{"‹": "`", "›": "'", "\x93": "``", "“": "``", "«": "``", "\x94": "''", "”": "''", "»": "''"},
    **{"\x80": "$", "\xa4": "$", "₠": "$", "€": "$", "£": "#", "¢": "cents"},
    **{"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"},
    **{"&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'", "&nbsp;": ""},
    **{"&AMP;": "&", "&LT;": "<", "&GT;": ">", "&NBSP;": ""},
}
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


def _spell_sign(token: str, *, following: str) -> str:
    if token in ('"', "&quot;"):
        return "``" if following[0].isalnum() or following[0] == "$" else "''"
    if token == "'":
        return "`" if following[0].isalpha() and not following[1:].isspace() else "'"
    if token[0] == "&":
        return _SIGNS.get(token if token in _SIGNS else token.upper(), token)
    return "".join(_SIGNS.get(sign, sign) for sign in token)

"""The rules of the Penn Treebank tokeniser: which spans of text are one token.

At each place of the text the rule with the longest span wins, the earlier one of equals. Where a rule has a group, the
span only decides between rules: the group is the token, and what follows the group is read again.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from metrics_plugins.text import ptb_abbreviations as abbreviations
from metrics_plugins.text.ptb_characters import DIGITS, LETTERS, MARKS, SYMBOLS


class Spelling(Enum):
    """How a token is written, before lower case."""

    PLAIN = auto()
    """As it stands in the text."""
    WORD = auto()
    """Without soft hyphens, and with plain signs for entities."""
    UNBROKEN = auto()
    """With no-break blanks for the blanks inside, and names for its brackets."""
    CONTRACTION = auto()
    """With a straight apostrophe."""
    ABBREVIATION = auto()
    """With a full stop after it, for the one in the text is a token too."""
    DASH = auto()
    """As two hyphens."""
    ELLIPSIS = auto()
    """As three full stops."""
    SIGN = auto()
    """By the table of signs, as it stands where the table has none."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of token.

    Attributes:
        pattern: Matches the span; group 1, where it took part, is the token.
        starts: Matches every character that a span can start with.
        spelling: How the token is written.
    """

    pattern: re.Pattern[str]
    starts: re.Pattern[str]
    spelling: Spelling


def _rule(starts: str, pattern: str, spelling: Spelling = Spelling.PLAIN) -> Rule:
    return Rule(pattern=re.compile(pattern, re.DOTALL), starts=re.compile(starts), spelling=spelling)


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_ENTITY = r"&[aeiouAEIOU](?:acute|grave|uml);"
_L = rf"(?:[a-zA-Z\xad{LETTERS}{MARKS}]|{_ENTITY})"
_LD = rf"(?:[a-zA-Z\xad{LETTERS}{MARKS}0-9{DIGITS}]|{_ENTITY})"
_D = rf"[0-9{DIGITS}]"
_A = rf"(?:[a-zA-Z0-9\xad{LETTERS}{DIGITS}]|{_ENTITY})"
_AP = r"(?:['\x92’]|&apos;)"
_ANY_AP = r"(?:['`\x91\x92‘’‛]|&apos;)"
_S = r"[ \t\xa0\u2000-\u200a\u3000\n]"

_AT_LETTER = rf"[a-zA-Z&\xad{LETTERS}{MARKS}]"
_AT_ALNUM = rf"[a-zA-Z0-9&\xad{LETTERS}{DIGITS}]"
_AT_AP = r"['`\x91\x92‘’‛&]"

_NAME = r"[A-Za-z][A-Za-z0-9_:.-]*"
_TAG = (
    rf"(?:<{_NAME}(?:{_S}+{_NAME}(?:{_S}*={_S}*(?:\"[^\"]*\"|'[^']*'))?)*{_S}*/?{_S}*>"
    rf"|</{_NAME}{_S}*>|<[!?][A-Za-z-][^>]*>)"
)
_WORD = rf"{_L}{_LD}*(?:[.!?]{_L}{_LD}*)*"
_NUMBER = rf"[+-]?(?:{_D}*(?:[.,:\xad\u066b\u066c]{_D}+)+|{_D}+)"
_INITIALS = r"[A-Za-z](?:\.[A-Za-z])+"
_PART = rf"(?:{_INITIALS}\.|(?:[dloDLO]{_ANY_AP})?{_A}+)"
_HYPHENATED = rf"{_A}(?:{_A}|[.,])*(?:[-_]{_PART})+"
_COMPOUND = rf"{_A}+(?:-{_A}+)*"
_FRACTION = rf"(?:{_D}{{1,4}}[- \xa0])?{_D}{{1,4}}(?:\\?/|\u2044){_D}{{1,4}}"
_DATE = rf"{_D}{{1,2}}[-/]{_D}{{1,2}}[-/]{_D}{{2,4}}"
_AREA = r"(?:\+?[0-9]{2,4}[- \xa0])?(?:\+?[0-9]{2,4}[- \xa0]|\([0-9]{2,3}\)[ \xa0]?)"
_PHONE = rf"{_AREA}[0-9]{{3,4}}[- \xa0]?[0-9]{{3,5}}"
_U = r"[^ \t\xa0\n\"<>|(){}]"
_U_END = r"[^ \t\xa0\n\"<>|.!?(){},-]"
_PATH = rf"/{_U}+{_U_END}"
_DOMAIN = r"[^ \t\xa0\n\"<>|(){}.]"
_EYES = r"[<>]?[:;=][-o*']?[()@DOPdp\[\]\\{|]"
_FACE = r"[-xX^~<>='][_][-xX^~<>=']|\([-xX^~<>=']_?[-xX^~<>=']\)"

_ENDING = (
    rf"(?:(?![A-Z]{{2}})(?i:{_any_of(abbreviations.ENDING_UNLESS_CAPITALS)})|(?i:{_any_of(abbreviations.ENDING)})"
    rf"|(?=[A-Z])(?i:{_any_of(abbreviations.ENDING_CAPITALISED)}))"
)
_LEADING = (
    rf"(?:(?![A-Z]{{2}})(?i:{_any_of(abbreviations.LEADING_UNLESS_CAPITALS)})"
    rf"|(?i:{_any_of(abbreviations.LEADING)}))\."
)
_NUMBERED = rf"(?i:{_any_of(abbreviations.BEFORE_NUMBER)})\."

_MARKUP = (
    _rule("<", _TAG, Spelling.UNBROKEN),
    _rule("h", rf"https?://{_U}+{_U_END}"),
    _rule("w", rf"www\.(?:{_U}+\.)+[A-Za-z]{{2,4}}(?:{_PATH})?"),
    _rule(_AT_ALNUM, rf"(?:[^ \t\xa0\n\"`'<>|.!?(){{}},/$-]+\.)+(?:com|net|org|edu)(?:{_PATH})?"),
    _rule(r"[A-Za-z0-9<&]", rf"(?:<|&lt;)?[A-Za-z0-9]{_U}*@(?:{_DOMAIN}+\.)*{_DOMAIN}+(?:>|&gt;)?"),
    _rule("[@#]", rf"@[A-Za-z_][A-Za-z0-9_]*|#{_L}+"),
)
_APOSTROPHES = (
    _rule("[cgwlCGWL]", r"(?i:(can)not)|(?i:(gon|wan)na)|(?i:(got)ta)|(?i:(gim|lem)me)"),
    _rule("'", r"('[tT])(?i:is|was)"),
    _rule(_AT_LETTER, rf"({_L}+)[nN]{_ANY_AP}[tT]", Spelling.WORD),
    _rule("[nN]", rf"[nN]{_ANY_AP}[tT]", Spelling.CONTRACTION),
    _rule(_AT_AP, rf"({_AP}(?i:[msd]|re|ve|ll))[^A-Za-z]", Spelling.CONTRACTION),
    _rule(_AT_AP, rf"{_AP}(?i:em|till?|cause)|{_AP}[nN]{_AP}?"),
    _rule("[dDjJlLoOyY]", rf"[dDjJlL]{_AP}|[oO][lL]{_AP}|([yY]{_AP})[A-Za-z]"),
    _rule("[A-Zdlno]", rf"[A-HJ-XZdlno]{_ANY_AP}{_L}{{2,}}"),
    _rule(_AT_LETTER, rf"{_L}+[aeiouyAEIOUY]{_ANY_AP}[aeiouA-Z]{_L}*", Spelling.WORD),
    _rule(_AT_AP, rf"({_AP}[0-9][0-9])[^0-9A-Za-z'’]|{_AP}[0-9][0-9][sS]"),
)
_ABBREVIATIONS = (
    _rule("[A-Za-z]", rf"({_ENDING})\.{_S}+(?:{_S}|[A-Z]|{_TAG})", Spelling.ABBREVIATION),
    _rule("[A-Za-z]", rf"({_ENDING}\.).."),
    _rule("[A-Za-z]", _LEADING),
    _rule("[A-Za-z]", rf"({_NUMBERED}){_S}?{_D}"),
    _rule("[A-Za-z]", rf"{_INITIALS}\.|[A-Za-z]\.|[pP][hH]\.[dD]\."),
    _rule(_AT_ALNUM, rf"((?:{_WORD}|{_HYPHENATED}|{_A}+)\.)[,;:\u3001]"),
)
_NUMBERS = (
    _rule(_D, _DATE),
    _rule(_D, _FRACTION, Spelling.UNBROKEN),
    _rule(r"[0-9+(]", _PHONE, Spelling.UNBROKEN),
    _rule(rf"[0-9{DIGITS}\xad.,:+-]", _NUMBER, Spelling.WORD),
)
_WORDS = (
    _rule(_AT_LETTER, _WORD, Spelling.WORD),
    *_ABBREVIATIONS,
    _rule(_AT_ALNUM, _HYPHENATED, Spelling.WORD),
    _rule(_AT_ALNUM, rf"{_COMPOUND}(?:\\?/{_COMPOUND}){{1,2}}", Spelling.WORD),
    _rule(_AT_ALNUM, rf"{_A}+", Spelling.WORD),
    _rule("[A-Zcf]", r"[A-Z]+(?:(?:[&+]|&amp;)[A-Z]+)+|[A-Z]+\$|[cC]\+\+|[cCfF]#", Spelling.WORD),
)
_SIGNS = (
    _rule("[<>:;=]", rf"({_EYES})[^A-Za-z0-9]", Spelling.UNBROKEN),
    _rule("[-xX^~<>='(]", _FACE, Spelling.UNBROKEN),
    _rule("[-\x96\x97–—―&]", r"-{5,}"),
    _rule("[-\x96\x97–—―&]", r"-{2,4}|[\x96\x97–—―]|&(?:MD|mdash|ndash);", Spelling.DASH),
    _rule(r"[.\x85…]", r"\.{3,5}|\.(?: \.){2,4}|[\x85…]", Spelling.ELLIPSIS),
    _rule("-", "-[LRlr][RCSrcs][Bb]-"),
    _rule("[!?]", "[!?]+"),
    _rule("&", r"&(?:HT|TL|UR|LR|QC|QL|QR|odq|cdq);|&#[0-9]+;"),
    _rule("&", r"&(?i:amp|lt|gt);|&(?:quot|apos);", Spelling.SIGN),
    _rule("[*_@#<>`']", r"\*+|_+|@+|#+|<<|>>|``|''"),
    _rule("[‚„‟¹²³⁰⁴-⁹₀-₉]", "[‚„‟]{1,2}|[¹²³⁰⁴-⁹]+|[₀-₉]+"),
    _rule(".", rf"[!-/:-@\[-`{{-~\x80\x91-\x94¢-¤«»¼-¾‘’‛“”‹›₠€⅓⅔{SYMBOLS}]", Spelling.SIGN),
)

RULES = (*_MARKUP, *_APOSTROPHES, *_NUMBERS, *_WORDS, *_SIGNS)
"""All rules, in the order that breaks ties."""

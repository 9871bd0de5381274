"""The rules of the Penn Treebank tokeniser for the spans of tokens.

At each position of the text the rule with the longest span is applied, the earlier one for ties. If a rule has a group,
the span is only used for the choice of the rule: the group is the token, and the text after the group is read again.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from metrics_plugins.text.ptb import abbreviations
from metrics_plugins.text.ptb.characters import DIGITS, LETTERS, MARKS, SYMBOLS
from metrics_plugins.text.ptb.spelling import Spelling


@dataclass(frozen=True)
class Rule:
    """A kind of token.

    Attributes:
        pattern_source: The regular expression of `pattern`.
        starts_source: The regular expression of `starts`.
        spelling: The spelling of the token.
    """

    pattern_source: str
    starts_source: str
    spelling: Spelling

    # Compiled on first use: plain words need none, and to compile all takes longer than to import any other module.

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches the span; group 1, if it participates in the match, is the token."""
        return re.compile(self.pattern_source, re.DOTALL)

    @cached_property
    def starts(self) -> re.Pattern[str]:
        """Matches all characters with which a span can begin."""
        return re.compile(self.starts_source)


def _rule(starts: str, pattern: str, spelling: Spelling = Spelling.PLAIN) -> Rule:
    return Rule(pattern_source=pattern, starts_source=starts, spelling=spelling)


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_ENTITY = r"&(?ai:[aeiou](?:acute|grave|uml));"
_L = rf"(?:[a-zA-Z\xad{LETTERS}{MARKS}]|{_ENTITY})"
_LD = rf"(?:[a-zA-Z\xad{LETTERS}{MARKS}0-9{DIGITS}]|{_ENTITY})"
_D = rf"[0-9{DIGITS}]"
_P = rf"[a-zA-Z0-9{LETTERS}{DIGITS}]"
_AP = r"(?:['\x92\u2019]|&(?ai:apos);)"
_ANY_AP = r"(?:['`\x91\x92\u2018\u2019\u201b]|&(?ai:apos);)"
_BLANK = r"[ \t\xa0\u2000-\u200a\u3000]"
_S = r"[ \t\x85\xa0\u2000-\u200a\u3000\n]"

_AT_LETTER = rf"[a-zA-Z&\xad{LETTERS}{MARKS}]"
_AT_ALNUM = rf"[a-zA-Z0-9&\xad{LETTERS}{DIGITS}]"
_AT_LD = rf"[a-zA-Z&\xad{LETTERS}{MARKS}0-9{DIGITS}]"
_AT_AP = r"['`\x91\x92\u2018\u2019\u201b&]"

_NAME = r"[A-Za-z][A-Za-z0-9_:.-]*"
_TAG = (
    rf"(?:<{_NAME}(?:{_S}+{_NAME}(?:{_S}*={_S}*(?:\"[^\"]*\"|'[^']*'))?)*{_S}*/?{_S}*>"
    rf"|</{_NAME}{_S}*>|<[!?][A-Za-z-][^>]*>)"
)
_WORD = rf"{_L}{_LD}*(?:[.!?]{_L}{_LD}*)*"
_NUMBER = rf"[+-]?(?:{_D}*(?:[.,:\xad\u066b\u066c]{_D}+)+|{_D}+)"
_JOINED = r"[A-Z]+(?:(?:[&+]|&amp;)[A-Z]+)+"
_INITIALS = r"[A-Za-z](?:\.[A-Za-z])+"
_PREFIXED = rf"[dloDLO]{_ANY_AP}{_P}{{2,}}"
_HYPHENATED = rf"[A-Za-z0-9][A-Za-z0-9\xad.,]*+(?:-(?:{_INITIALS}\.|[A-Za-z0-9\xad]+))+"
_LINKED = rf"(?:{_PREFIXED}|{_P}+)(?:[-_\u058a\u2010\u2011](?:{_PREFIXED}|{_P}+))+"
_COMPOUND = r"[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"
_PURE = rf"[a-zA-Z{LETTERS}]"
_FRACTION = rf"(?:{_D}{{1,4}}[- \xa0])?{_D}{{1,4}}(?:\\?/|\u2044){_D}{{1,4}}"
_DATE = rf"{_D}{{1,2}}[-/]{_D}{{1,2}}[-/]{_D}{{2,4}}"
_AREA = r"(?:\+?[0-9]{2,4}[- \xa0])?(?:\+?[0-9]{2,4}[- \xa0]|\([0-9]{2,3}\)[ \xa0]?)"
_PHONE = rf"{_AREA}[0-9]{{3,4}}[- \xa0]?[0-9]{{3,5}}"
_U = r"[^ \t\n\"<>|(){}]"
_U_END = r"[^ \t\n\"<>|.!?(){},-]"
_PATH = rf"/[^ \t\n\"<>|()]+{_U_END}"
_HOST_PART = r"[^ \t\n\"`'<>|.!?(){},-_$]+"
_MAILBOX = r"[^ \t\xa0\n\"<>|(){}]"
_DOMAIN = r"[^ \t\xa0\n\"<>|(){}.]"
_EYES = r"[<>]?[:;=][-o*']?[()@DOPdp\[\]\\{|]"
_FACE = r"[-x^~<>='][_][-x^~<>=']|\([-x^~<>='][_.]?[-x^~<>=']\)|\([x^~<>=']-[x^~<>='`]\)"

_ENDING = (
    rf"(?:(?![A-Z]{{2}})(?i:{_any_of(abbreviations.ENDING_UNLESS_CAPITALS)})|(?i:{_any_of(abbreviations.ENDING)})"
    rf"|(?=[A-Z])(?i:{_any_of(abbreviations.ENDING_CAPITALISED)}))"
)
_LEADING = (
    rf"(?:(?![A-Z]{{2}})(?i:{_any_of(abbreviations.LEADING_UNLESS_CAPITALS)})"
    rf"|(?i:{_any_of(abbreviations.LEADING)}))\."
)
_STARTER = rf"(?:(?=[A-Z])(?i:{_any_of(map(re.escape, abbreviations.SENTENCE_STARTERS))})|{_TAG}){_S}"
_NUMBERED = rf"(?i:{_any_of(abbreviations.BEFORE_NUMBER)})\."

_PLACES = (
    _rule("<", _TAG, Spelling.UNBROKEN),
    _rule("[hH]", rf"(?ai:https?)://{_U}+{_U_END}"),
    _rule("[wW]", r"(?ai:www)\.(?:[^ \t\n\"<>|.!?(){},]+\.)+[A-Za-z]{2,4}"),
    _rule("[wW]", rf"(?ai:www)\.(?:[^ \t\n\"<>|.!?(){{}},]+\.)+[A-Za-z]{{2,4}}{_PATH}"),
    _rule(r"[^\"'<>|.!?(){}$,-_]", rf"(?:{_HOST_PART}\.)+(?ai:com|net|org|edu)(?:{_PATH})?"),
    _rule(r"[A-Za-z0-9<&]", rf"(?:<|&(?ai:lt);)?[A-Za-z0-9]{_MAILBOX}*@(?:{_DOMAIN}+\.)*{_DOMAIN}+(?:>|&(?ai:gt);)?"),
    _rule("[@#]", rf"@[A-Za-z_][A-Za-z0-9_]*|#{_L}+"),
)
_APOSTROPHES = (
    _rule("[cgwlCGWL]", r"(?ai:(can)not)|(?ai:(gon|wan)na)|(?ai:(got)ta)|(?ai:(gim|lem)me)"),
    _rule("'", r"('[tT])(?ai:is|was)"),
    _rule(r"[A-Za-z\xad]", rf"([A-Za-z\xad]*[A-MO-Za-mo-z]\xad*)[nN]{_ANY_AP}[tT]", Spelling.WORD),
    _rule("[nN]", rf"[nN]{_ANY_AP}[tT]", Spelling.CONTRACTION),
    _rule(_AT_LETTER, rf"({_WORD}){_AP}(?ai:[msd]|re|ve|ll)", Spelling.WORD),
    _rule(
        _AT_AP,
        r"('(?ai:[msd]|re|ve|ll))[^A-Za-z]|(?:[\x92\u2019]|&(?ai:apos);)(?ai:[msd]|re|ve|ll)",
        Spelling.CONTRACTION,
    ),
    _rule(_AT_AP, rf"{_AP}(?ai:em|till?|cause)|{_AP}[nN]{_AP}|(?:[\x92\u2019]|&(?ai:apos);)[nN]|('[nN])[ \t\xa0\n]"),
    _rule("[dDjJlLoOsSyY]", rf"[dDjJlL]{_AP}|(?ai:ol|dunkin|somethin){_AP}|([yY]{_AP})[A-Za-z]"),
    _rule("[A-Zdlno]", rf"[A-HJ-XZdlno]{_ANY_AP}{_PURE}{{2,}}"),
    _rule("[dloDLO]", rf"{_PREFIXED}|[oO]{_ANY_AP}[oO]"),
    _rule("[cCeElLnNsS]", rf"(?i:c{_AP}est|cap{_AP}n|c'mon|cont'd\.|e'er|ev'ry|li'l|nat'l|nor'easter|s'mores)"),
    _rule(_AT_LETTER, rf"{_PURE}+[aeiouyAEIOUY]{_ANY_AP}[aeiouA-Z]{_PURE}*"),
    _rule(_AT_AP, rf"({_AP}[0-9][0-9]){_S}|{_AP}[2-9]0(?i:s)"),
)
_ABBREVIATIONS = (
    _rule("[A-Za-z\u017f]", rf"({_ENDING})\.{_BLANK}+(?:{_S}|[A-Z]|{_TAG})", Spelling.ABBREVIATION),
    _rule("[A-Za-z]", rf"({_INITIALS})\.{_S}+{_STARTER}", Spelling.ABBREVIATION),
    _rule("[A-Za-z]", rf"([A-Za-z])\.{_S}+{_STARTER}"),
    _rule("[A-Za-z\u017f]", rf"({_ENDING}\.).."),
    _rule("[A-Za-z\u017f]", _LEADING),
    _rule("[A-Za-z]", rf"({_NUMBERED}){_S}?{_D}"),
    _rule("[A-Za-z]", rf"{_INITIALS}\.|[A-Za-z]\.|[pP][hH]\.[dD]\."),
    _rule(_AT_LD, rf"((?:{_WORD}|{_HYPHENATED}|{_LINKED}|{_PREFIXED}|{_P}+|{_JOINED})\.)[,;:\u3001]", Spelling.WORD),
)
_NUMBERS = (
    _rule(_D, _DATE),
    _rule(_D, _FRACTION, Spelling.UNBROKEN),
    _rule(r"[0-9+(]", _PHONE, Spelling.UNBROKEN),
    _rule(rf"[0-9{DIGITS}\xad.,:+-]", _NUMBER, Spelling.WORD),
)
_WORDS = (
    _rule(_AT_LETTER, _WORD, Spelling.WORD),
    *_PLACES,
    *_ABBREVIATIONS,
    _rule(_AT_LD, rf"({_LD}+(?:\.{_LD}+)*\.(?ai:{_any_of(abbreviations.FILE_EXTENSIONS)}))(?:{_S}|[!?.,])"),
    _rule(_AT_ALNUM, _HYPHENATED, Spelling.WORD),
    _rule(_AT_ALNUM, _LINKED),
    _rule(_AT_ALNUM, rf"{_COMPOUND}(?:\\?/{_COMPOUND}){{1,2}}", Spelling.WORD),
    _rule(_AT_ALNUM, rf"{_P}+"),
    _rule("[aApP]", "(?ai:anti|pro)-"),
    _rule("[A-Zcf]", rf"{_JOINED}|[A-Z]+\$|[cC]\+\+|[cCfF]#", Spelling.WORD),
)
_SIGNS = (
    _rule(_BLANK, rf"{_BLANK}+", Spelling.NOTHING),
    _rule("[<>:;=]", rf"({_EYES})[^A-Za-z0-9]", Spelling.UNBROKEN),
    _rule("[-x^~<>='(]", _FACE, Spelling.UNBROKEN),
    _rule("[-\x96\x97\u2013\u2014\u2015&]", r"-{5,}"),
    _rule(
        "[-\x96\x97\u2013\u2014\u2015&]", r"-{2,4}|[\x96\x97\u2013\u2014\u2015]|&(?ai:MD|mdash|ndash);", Spelling.DASH
    ),
    _rule(r"[.\x85\u2026]", r"\.{3,5}|\.(?: \.){2,4}|[\x85\u2026]", Spelling.ELLIPSIS),
    _rule("-", "-[LRlr][RCSrcs][Bb]-"),
    _rule("[!?]", "[!?]+"),
    _rule("&", r"&(?ai:HT|TL|UR|LR|QC|QL|QR|odq|cdq);|&#[0-9]+;"),
    _rule("&", r"&(?ai:amp|lt|gt|quot|apos|nbsp);", Spelling.SIGN),
    _rule(r"[\\*_@#<>']", r"\\\*|\*+|_+|@+|#+|<<|>>|''"),
    _rule("[`\x91-\x94«»\u2018-\u201f\u2039\u203a]", "[`\x91-\x94«»\u2018-\u201f\u2039\u203a]{1,2}", Spelling.SIGN),
    _rule("[¹²³\u2070\u2074-\u2079\u2080-\u2089]", "[¹²³\u2070\u2074-\u2079]+|[\u2080-\u2089]+"),
    _rule(".", rf"[!-/:-@\[-`{{-~\x80¢-¤¼-¾₠€⅓⅔{SYMBOLS}]", Spelling.SIGN),
)

RULES = (*_APOSTROPHES, *_NUMBERS, *_WORDS, *_SIGNS)
"""All rules, in the order used for ties."""

NOT_PLAIN = frozenset(
    (
        *("cannot", "gonna", "wanna", "gotta", "gimme", "lemme"),
        *(*abbreviations.ENDING, *abbreviations.ENDING_UNLESS_CAPITALS, *abbreviations.ENDING_CAPITALISED),
        *(*abbreviations.LEADING, *abbreviations.LEADING_UNLESS_CAPITALS, *abbreviations.BEFORE_NUMBER),
    )
)
"""Words of letters only, in lower case, that are not a single plain token under some rule."""

_OPEN_ENDED = rf"(?:[A-Za-z]|(?ai:{_any_of(abbreviations.BEFORE_NUMBER)}))\.{_S}*$"
CONTEXTUAL = re.compile(
    rf"<[A-Za-z/!?]|^{_BLANK}|^{_OPEN_ENDED}|[^A-Za-z]{_OPEN_ENDED}|[^A-Za-z.-].*{_OPEN_ENDED}"
    rf"|^[+(]{{0,2}}[0-9]{{2,4}}[- \xa0)]{{0,2}}[0-9]|^{_D}{{1,4}}(?:\\?/|\u2044){_D}",
    re.DOTALL,
)
"""Matches text whose tokens may depend on other space-separated parts: tags, the later parts of fractions and telephone
numbers, and full stops whose treatment depends on the next word."""

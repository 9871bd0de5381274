"""The tokeniser of the COCO caption evaluation: Penn Treebank tokens in lower case, punctuation removed.

Written from the observed behaviour of the reference (Chen et al. 2015, "Microsoft COCO Captions: Data Collection and
Evaluation Server"), whose tokens it gives: Stanford CoreNLP 3.4.1 with lines kept and lower case, then 17 strings removed.
One difference is meant: a caption never depends on its neighbours. The reference takes `\\r`, U+000B, U+000C, U+2028 and
U+2029 for line breaks, which moves all captions after them by one; here they are blanks.
"""

from collections.abc import Sequence
from functools import lru_cache

from metrics_plugins.text.ptb_rules import RULES, Rule, Spelling

VERSION = "1"
"""Changes with every change of the tokens."""

_REMOVED = frozenset("'' ' `` ` -LRB- -RRB- -LCB- -RCB- . ? ! , : - -- ... ;".split())
_LINE_BREAKS = str.maketrans(dict.fromkeys("\n\r\x0b\x0c\u2028\u2029", " "))
_NEXT_LINE = "\nx"

_BRACKETS = str.maketrans(
    {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-", " ": "\xa0"}
)
_SIGNS = {
    "&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'",
    "(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-",
    "\x80": "$", "\xa4": "$", "₠": "$", "€": "$", "£": "#", "¢": "cents",
    "¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3",
    "\x91": "`", "‘": "`", "‛": "`", "‹": "`", "\x92": "'", "’": "'", "›": "'",
    "\x93": "``", "“": "``", "«": "``", "\x94": "''", "”": "''", "»": "''",
}  # fmt: skip


def tokenize_captions(captions: Sequence[str]) -> list[str]:
    """Return one line a caption: the kept tokens joined by one blank."""
    return [" ".join(token for token in tokenize_raw(caption) if token not in _REMOVED) for caption in captions]


def tokenize_raw(caption: str) -> list[str]:
    """Return all tokens of a caption, before any is removed."""
    text = caption.translate(_LINE_BREAKS) + _NEXT_LINE
    tokens = []
    place, end = 0, len(caption)
    while place < end:
        best, best_rule = None, None
        reach = place
        for rule in _rules_at(text[place]):
            match = rule.pattern.match(text, place)
            if match and match.end() > reach:
                best, best_rule, reach = match, rule, match.end()
        if best is None or best_rule is None:
            place += 1
            continue
        group = best.lastindex or 0
        tokens.append(_spell(best[group], best_rule.spelling, text, best.end(group)).lower())
        place = best.end(group)
    return tokens


@lru_cache(maxsize=4096)
def _rules_at(character: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if rule.starts.match(character))


def _spell(token: str, spelling: Spelling, text: str, end: int) -> str:
    match spelling:
        case Spelling.WORD:
            return token.replace("\xad", "").replace("&amp;", "&") or "-"
        case Spelling.UNBROKEN:
            return token.translate(_BRACKETS)
        case Spelling.CONTRACTION:
            return token.replace("’", "'").replace("\x92", "'").replace("&apos;", "'").replace("‘", "`").replace("‛", "`").replace("\x91", "`")
        case Spelling.ABBREVIATION:
            return token + "."
        case Spelling.DASH:
            return "--"
        case Spelling.ELLIPSIS:
            return "..."
        case Spelling.SIGN:
            if token in ('"', "&quot;"):
                return "``" if text[end].isalnum() or text[end] == "$" else "''"
            if token == "'":
                return "`" if text[end].isalpha() and not text[end + 1].isspace() else "'"
            return _SIGNS.get(token.lower() if token[0] == "&" else token, token)
    return token

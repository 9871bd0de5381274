"""The tokeniser of the COCO caption evaluation: Penn Treebank tokens in lower case, punctuation removed.

It is written from the observed behaviour of the reference (Chen et al. 2015, "Microsoft COCO Captions: Data Collection
and Evaluation Server") and gives the same tokens: those of Stanford CoreNLP 3.4.1 in lower case with one caption per
line, without 17 kinds of tokens.

There is one intended difference: tokens never depend on other captions. In the reference the characters `\\r`, U+000B,
U+000C, U+2028 and U+2029 end the line, which shifts all later captions by one; here they are white space. The reference
also reads into the next caption if a caption ends with a single letter or an abbreviation such as `No.`, or has an open
quotation mark inside a tag; here every caption is tokenised as if the next one began with "A ".
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from metrics_plugins.text.ptb.rules import CONTEXTUAL, NOT_PLAIN, RULES, Rule
from metrics_plugins.text.ptb.spelling import spell

VERSION = "1"
"""To be changed whenever the tokens change."""

_REMOVED = frozenset(
    ("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";")
)
_LINE_BREAK = re.compile("[\n\r\x0b\x0c\u2028\u2029]")
_NEXT_CAPTION = "\nA \n"

_PLAIN = re.compile("([A-Za-z]{2,})[.,]?")

_MAX_KNOWN_PARTS = 65_536
_MAX_KNOWN_LENGTH = 40
_known_parts: dict[str, str] = {}
"""The cache of the kept tokens of space-separated parts that do not depend on other parts."""


def tokenize_captions(captions: Sequence[str]) -> list[str]:
    """Return one line per caption: its kept tokens joined by single spaces, "" if none remain.

    A mixed fraction is one token with U+00A0 inside. Any text is accepted, and lines do not depend on other captions.
    """
    lines = []
    for caption in captions:
        try:
            kept = [tokens for part in caption.split(" ") if (tokens := _known_parts[part])]
            lines.append(" ".join(kept))
        except KeyError:
            lines.append(_tokenize_unknown(caption))
    return lines


def tokenize_raw(caption: str) -> list[str]:
    """Return all tokens of a caption, including those that are later removed."""
    text = _LINE_BREAK.sub(" ", caption) + _NEXT_CAPTION
    tokens = []
    place, end = 0, len(caption)
    while place < end:
        span_end = place
        token_end = place + 1
        winner: Rule | None = None
        for rule in _rules_at(text[place]):
            span = rule.pattern.match(text, place)
            if span and span.end() > span_end:
                winner, span_end, token_end = rule, span.end(), span.end(span.lastindex or 0)
        if winner:
            tokens.append(spell(text[place:token_end], winner.spelling, following=text[token_end : token_end + 2]))
        place = token_end
    return [token for token in tokens if token]


def find_plain_word(part: str) -> str | None:
    """Return the word in a part made only of letters, optionally followed by a comma or full stop; else None.

    The word is the only kept token of such a part, so the rules need not be applied. Returns None for words that the
    rules split, and for abbreviations.
    """
    found = _PLAIN.fullmatch(part)
    return found[1] if found and found[1].lower() not in NOT_PLAIN else None


def _tokenize_unknown(caption: str) -> str:
    parts = caption.split(" ")
    unknown = [part for part in parts if part not in _known_parts]
    if any(len(part) > _MAX_KNOWN_LENGTH or CONTEXTUAL.search(part) for part in unknown):
        return _tokenize_part(caption)
    return " ".join(filter(None, map(_look_up, parts)))


def _look_up(part: str) -> str:
    if part in _known_parts:
        return _known_parts[part]
    word = find_plain_word(part)
    tokens = _tokenize_part(part) if word is None else word.lower()
    if len(_known_parts) >= _MAX_KNOWN_PARTS:
        _known_parts.clear()
    # Most parts are a single token equal to the part; the same string then serves as key and value.
    _known_parts[part] = part if tokens == part else tokens
    return tokens


def _tokenize_part(text: str) -> str:
    return " ".join(token for token in tokenize_raw(text) if token not in _REMOVED)


@lru_cache(maxsize=4096)
def _rules_at(character: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if rule.starts.match(character))

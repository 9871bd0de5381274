"""The second tokeniser of METEOR 1.5 (its option `-norm`), which splits tokens of the first one further."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

_LETTERS = (
    "A-Za-z\u0160\u017d\u0161\u017e\u0178\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u04ff\u0500-\u0527"
    "\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
_BLANKS = " \u2000-\u200a\u202f\u205f\u3000\u00a0"
_JAVA_SPACE = " \\t\\n\\x0b\\f\\r"
_REFERENCE_MARK = "|||"

_SHORT_DOTS, _LONG_DOTS = "DOTMULTI", "DOTDOTMULTI"
"""Placeholders for sequences of dots while single dots are processed, as in the reference program."""

_SPLIT = re.compile(f"([^0-9{_LETTERS}{_JAVA_SPACE}.'`,\\-\u2018\u2019])")
_DOTS = re.compile(r"\.(\.+)")
_LAST_DOT = re.compile(rf"{_SHORT_DOTS}\.([^.])")
_ROUNDS: tuple[Callable[[str], str], ...] = (
    partial(re.compile("([^0-9]),([^0-9])").sub, r"\1 , \2"),
    partial(re.compile("([0-9]),([^0-9])").sub, r"\1 , \2"),
    partial(re.compile("([^0-9]),([0-9])").sub, r"\1 , \2"),
    partial(re.compile("[`\u2018\u2019]").sub, "'"),
    partial(re.compile("[\u201c\u201d]|''").sub, ' " '),
    lambda line: line.replace("\u2013", "-").replace("--", "-"),
    partial(re.compile(f"([0-9{_LETTERS}.])-([0-9{_LETTERS}])").sub, r"\1 \2"),
    partial(re.compile(f"([^{_LETTERS}])'([^{_LETTERS}])").sub, r"\1 ' \2"),
    partial(re.compile(f"([^{_LETTERS}0-9])'([{_LETTERS}])").sub, r"\1 ' \2"),
    partial(re.compile(f"([{_LETTERS}])'([^{_LETTERS}])").sub, r"\1 ' \2"),
    partial(re.compile(f"([{_LETTERS}])'([{_LETTERS}])").sub, r"\1 '\2"),
    partial(re.compile("([0-9])'(s)").sub, r"\1 '\2"),
)
"""The substitutions, each of which is applied to the whole line before the next one."""

_PLAIN = re.compile("[a-z0-9]+")

_LETTER = re.compile(f"[{_LETTERS}]")
_STARTS_SMALL = re.compile("[a-z]")
_STARTS_WITH_DIGIT = re.compile("[0-9]")
_BLANK = re.compile(f"[{_BLANKS}]+")
_BETWEEN_WORDS = re.compile("[ \t\n\r\f]+")
_TRIMMED = "".join(map(chr, range(33)))


def normalise_lines(lines: Sequence[str], *, prefixes: dict[str, bool]) -> list[str]:
    """Return the words of each line in lower case, joined by single spaces; "" for a line without words.

    Args:
        lines: Captions, tokenised or not.
        prefixes: Abbreviations that keep their full stop, and whether each does so only before a number.
    """
    return [" ".join(_split_words(line, prefixes)) for line in lines]


def is_plain(word: str) -> bool:
    """Return whether a word is plain: a line of plain words, joined by single spaces, needs no normalisation."""
    return _PLAIN.fullmatch(word) is not None


def _split_words(line: str, prefixes: dict[str, bool]) -> list[str]:
    line = _SPLIT.sub(r" \1 ", f" {line.replace(_REFERENCE_MARK, '').replace('  ', ' ').strip(_TRIMMED)} ")
    line = _DOTS.sub(rf" {_SHORT_DOTS}\1", line)
    while f"{_SHORT_DOTS}." in line:
        line = _LAST_DOT.sub(rf"{_LONG_DOTS} \1", line).replace(f"{_SHORT_DOTS}.", _LONG_DOTS)
    for change in _ROUNDS:
        line = change(line)
    words = [word for word in _BETWEEN_WORDS.split(line) if word]
    line = "".join(_treat_full_stop(word, following, prefixes) + " " for word, following in pairwise([*words, ""]))
    while _LONG_DOTS in line:
        line = line.replace(_LONG_DOTS, f"{_SHORT_DOTS}.")
    line = _BLANK.sub(" ", line.replace(_SHORT_DOTS, ".")).strip(_TRIMMED).lower()
    return [word for word in _BETWEEN_WORDS.split(line) if word]


def _treat_full_stop(word: str, following: str, prefixes: dict[str, bool]) -> str:
    if len(word) < 2 or not word.endswith("."):
        return word
    base = word[:-1]
    if "." in base and _LETTER.search(base):
        return word.replace(".", "")
    before_number_only = prefixes.get(base)
    if before_number_only is False or _STARTS_SMALL.match(following):
        return word
    if before_number_only and _STARTS_WITH_DIGIT.match(following):
        return word
    return f"{base} ."

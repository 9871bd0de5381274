"""Counting the words of a caption in any script, and detecting texts that are no sentence.

Scripts without blanks between words are counted by letters: a number of letters counts as one word of English, so that
captions of the same content are equally long. The page's script reads the same table and counts in the same way.
"""

import re
from collections import Counter
from typing import Any, Final

MARKS: Final = (
    "!-/:-@\\[-`{-~\u2013\u2014\u2026\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
    # Punctuation of Chinese and Japanese, and its wide forms.
    "\u3001-\u3004\u3008-\u3020\u3030\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
_WORD: Final = f"(?:^| )[{MARKS}]*[^ {MARKS}][^ ]*"
UNITS: Final = 30
"""The units of one word, divisible by the letters per word of every script."""
_HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA: Final = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
# Consonants and independent vowels of Thai, Lao, Burmese and Khmer: signs above, below and beside them do not count.
_SOUTHEAST: Final = "\u0e01-\u0e2e\u0e81-\u0eae\u1000-\u102a\u1780-\u17b3"
_SCRIPTS: Final = ((_HAN, 20), (_KANA, 15), (_SOUTHEAST, 12))
"""The letters of scripts without blanks, with the units of each: 1.5, 2 and 2.5 letters are one word."""
_DENSE: Final = "".join(letters for letters, _ in _SCRIPTS)
# Six letters or more that repeat a part, as "asdfasdf" does; the same letter three times or more; no vowel.
_MASHED: Final = "^(?:(?=.{6})(.{1,5})\\1+|(.)\\2\\2+|[bcdfghjklmnpqrstvwxz]{4,})$"
_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm")
LONG_ENOUGH: Final = 6
LEAST_DIFFERENT: Final = 4
COUNTING: Final[dict[str, Any]] = {
    "word": _WORD,
    "marks": MARKS,
    "scripts": [[f"[{letters}]", units] for letters, units in _SCRIPTS],
    "dense": f"[{_DENSE}]",
    "units": UNITS,
    "mashed": _MASHED,
    "rows": _ROWS,
    "longEnough": LONG_ENOUGH,
    "leastDifferent": LEAST_DIFFERENT,
}
"""The table for the page's script."""


def count_words(caption: str) -> int:
    """Return the number of words of a normalized caption, where letters of scripts without blanks are parts of one."""
    apart = re.sub(f"[{_DENSE}]", " ", caption)
    units = sum(units * len(re.findall(f"[{letters}]", caption)) for letters, units in _SCRIPTS)
    return len(re.findall(_WORD, apart)) + units // UNITS


def is_noise(caption: str) -> bool:
    """Return whether a normalized caption is no sentence: the same words again and again, or keys at random.

    It is if more than half of its words are the same or are noise, or if fewer than four differ; letters of scripts
    without blanks are compared like words. Captions of fewer than six words are not judged.
    """
    apart = re.sub(f"[{_DENSE}]", " ", caption).lower()
    words = [word for word in (re.sub(f"^[{MARKS}]+|[{MARKS}]+$", "", one) for one in apart.split(" ")) if word]
    parts = [*words, *re.findall(f"[{_DENSE}]", caption)]
    if len(parts) < LONG_ENOUGH:
        return False
    most = max(Counter(parts).values())
    n_noise = sum(map(_is_mashed, words))
    return 2 * most > len(parts) or 2 * n_noise > len(parts) or len(set(parts)) < LEAST_DIFFERENT


def _is_mashed(word: str) -> bool:
    """Return whether a word consists of keys in the order of a keyboard, of repeated letters, or of no vowels."""
    if re.search(_MASHED, word):
        return True
    return len(word) >= LEAST_DIFFERENT and any(word in row or word in row[::-1] for row in _ROWS)

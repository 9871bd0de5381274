"""The English Porter2 stemmer in its version of 2014, which METEOR 1.5 uses.

Written from the published description of the algorithm (Porter, 2001, "Snowball: a language for stemming algorithms",
the English stemmer). Later versions stem some words differently, so a current library would give other scores.
"""

import re
from functools import lru_cache

_EXCEPTIONS = {
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
} | {word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")}
_FINISHED_AFTER_PLURAL = frozenset(
    ("inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed")
)
_REGION = re.compile("[^aeiouy]*[aeiouy]+[^aeiouy]")
_FIRST_REGION = re.compile(f"gener|commun|arsen|{_REGION.pattern}")
_SHORT_END = re.compile("(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$")
_HAS_VOWEL = re.compile("[aeiouy]")
_VERB_END = re.compile("(eedly|eed)$|(ingly|edly|ing|ed)$")
_DOUBLE_END = re.compile("(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$")


def _list_endings(*rows: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    # Only the longest matching ending is considered, even if a shorter one would be replaced.
    pairs = [(ending, new) for endings, new in rows for ending in endings.split()]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


_DERIVED = _list_endings(
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("entli", "ent"),
    ("izer ization", "ize"),
    ("ational ation ator", "ate"),
    ("alism aliti alli", "al"),
    ("fulness fulli", "ful"),
    ("ousli ousness", "ous"),
    ("iveness iviti", "ive"),
    ("biliti bli", "ble"),
    ("ogi", "og"),
    ("lessli", "less"),
    ("li", ""),
)
_DERIVED_AGAIN = _list_endings(
    ("tional", "tion"),
    ("ational", "ate"),
    ("alize", "al"),
    ("icate iciti ical", "ic"),
    ("ful ness ative", ""),
)
_REMOVED = _list_endings(("al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion", ""))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; a word of one or two letters is unchanged."""
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    if len(word) < 3:
        return word
    word = _mark_consonants(word.removeprefix("'"))
    first, second = _find_regions(word)
    word = _drop_plural(word)
    if word not in _FINISHED_AFTER_PLURAL:
        word = _drop_verb_end(word, first)
        if len(word) > 2 and word[-1] in "yY" and word[-2] not in "aeiouy":
            word = word[:-1] + "i"
        word = _replace_derived(word, first)
        word = _replace_derived_again(word, first, second)
        word = _remove_ending(word, second)
        word = _drop_final(word, first, second)
    return word.replace("Y", "y")


def _mark_consonants(word: str) -> str:
    # A y at the start or after a vowel is a consonant, and is written Y from here on.
    letters = list(word)
    for place, letter in enumerate(letters):
        if letter == "y" and (place == 0 or letters[place - 1] in "aeiouy"):
            letters[place] = "Y"
    return "".join(letters)


def _find_regions(word: str) -> tuple[int, int]:
    found = _FIRST_REGION.match(word)
    if not found:
        return len(word), len(word)
    again = _REGION.match(word, found.end())
    return found.end(), again.end() if again else len(word)


def _drop_plural(word: str) -> str:
    for ending in ("'s'", "'s", "'"):
        if word.endswith(ending):
            word = word.removesuffix(ending)
            break
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _HAS_VOWEL.search(word[:-2]):
        return word[:-1]
    return word


def _drop_verb_end(word: str, first: int) -> str:
    found = _VERB_END.search(word)
    if not found:
        return word
    if found.group(1):
        return word[: found.start()] + "ee" if found.start() >= first else word
    base = word[: found.start()]
    if not _HAS_VOWEL.search(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _DOUBLE_END.search(base):
        return base[:-1]
    return base + "e" if len(base) == first and _SHORT_END.search(base) else base


def _find_ending(word: str, endings: tuple[tuple[str, str], ...]) -> tuple[str, str, str] | None:
    for ending, new in endings:
        if word.endswith(ending):
            return word.removesuffix(ending), ending, new
    return None


def _replace_derived(word: str, first: int) -> str:
    found = _find_ending(word, _DERIVED)
    if not found or len(found[0]) < first:
        return word
    base, ending, new = found
    if ending == "ogi" and not base.endswith("l"):
        return word
    if ending == "li" and not base.endswith(tuple("cdeghkmnrt")):
        return word
    return base + new


def _replace_derived_again(word: str, first: int, second: int) -> str:
    found = _find_ending(word, _DERIVED_AGAIN)
    if not found:
        return word
    base, ending, new = found
    return base + new if len(base) >= (second if ending == "ative" else first) else word


def _remove_ending(word: str, second: int) -> str:
    found = _find_ending(word, _REMOVED)
    if not found or len(found[0]) < second:
        return word
    base, ending, _ = found
    return word if ending == "ion" and not base.endswith(("s", "t")) else base


def _drop_final(word: str, first: int, second: int) -> str:
    base = word[:-1]
    if word.endswith("e"):
        drops = len(base) >= second or (len(base) >= first and not _SHORT_END.search(base))
        return base if drops else word
    return base if word.endswith("ll") and len(base) >= second else word

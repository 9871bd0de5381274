"""Articles, plurals and numbers of English nouns, for lists of objects."""

import re
from types import MappingProxyType

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MANY = "many"

_IRREGULAR = MappingProxyType(
    {
        "person": "people",
        "man": "men",
        "woman": "women",
        "child": "children",
        "foot": "feet",
        "tooth": "teeth",
        "goose": "geese",
        "mouse": "mice",
        "ox": "oxen",
        "knife": "knives",
        "shelf": "shelves",
        "leaf": "leaves",
        "loaf": "loaves",
        "calf": "calves",
        "scarf": "scarves",
        "wolf": "wolves",
        "half": "halves",
        "potato": "potatoes",
        "tomato": "tomatoes",
        "sheep": "sheep",
        "deer": "deer",
        "fish": "fish",
        "aircraft": "aircraft",
    }
)
_PLURAL_ONLY = frozenset(
    (
        *("binoculars", "clothes", "glasses", "goggles", "jeans", "leggings", "pajamas", "pants", "pliers", "pyjamas"),
        *("scissors", "shorts", "skis", "stairs", "sunglasses", "tights", "tongs", "trousers"),
    )
)
_HISSING = re.compile(r"(s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
# Words with a silent h, and words whose first vowel is pronounced like "you" or "won".
_SILENT = re.compile(r"(hour|honest|honou?r|heir)", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(r"(eu|ewe|one\b|once|uni(?!n)|us[ae]|ute|uku|uri|ufo)", re.IGNORECASE)


def is_plural(noun: str) -> bool:
    """Return whether a noun is a plural, including nouns that are always plural (scissors).

    Only nouns without a singular, and irregular plurals that differ from their singular, are known.
    """
    last = noun.lower().rpartition(" ")[2]
    return last in _PLURAL_ONLY or any(last == many != one for one, many in _IRREGULAR.items())


def add_article(noun: str) -> str:
    """Return a noun preceded by "a" or "an"; plurals are unchanged.

    >>> add_article("umbrella"), add_article("unicycle"), add_article("hourglass"), add_article("scissors")
    ('an umbrella', 'a unicycle', 'an hourglass', 'scissors')
    """
    if is_plural(noun):
        return noun
    starts_with_vowel = noun[:1].lower() in set("aeiou") and not _CONSONANT_SOUND.match(noun)
    return f"an {noun}" if starts_with_vowel or _SILENT.match(noun) else f"a {noun}"


def make_plural(noun: str) -> str:
    """Return the plural of a noun, which changes its last word; plurals are unchanged.

    >>> make_plural("tennis ball"), make_plural("wine glass"), make_plural("person"), make_plural("puppy")
    ('tennis balls', 'wine glasses', 'people', 'puppies')
    """
    if is_plural(noun):
        return noun
    before, blank, last = noun.rpartition(" ")
    return f"{before}{blank}{_make_plural_word(last)}"


def _make_plural_word(word: str) -> str:
    if word.lower() in _IRREGULAR:
        return _IRREGULAR[word.lower()]
    if word.lower().endswith(("woman", "man")) and not word.lower().endswith("human"):
        return f"{word[:-2]}en"
    if _CONSONANT_Y.search(word):
        return f"{word[:-1]}ies"
    return f"{word}es" if _HISSING.search(word) else f"{word}s"


def count_noun(noun: str, n: int) -> str:
    """Return a plural noun preceded by its number in words, from two to ten, or "many" above ten.

    >>> count_noun("dog", 2), count_noun("sheep", 11)
    ('two dogs', 'many sheep')
    """
    number = NUMBERS[n - 2] if n - 2 < len(NUMBERS) else MANY
    return f"{number} {make_plural(noun)}"

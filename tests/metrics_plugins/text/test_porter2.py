"""Tests of the stemmer against that of the program METEOR 1.5."""

import hashlib

import pytest

from metrics_plugins.metrics.meteor.sources import find_sources
from metrics_plugins.text.porter2 import stem

STEMS = (
    "caresses caress|ponies poni|ties tie|cats cat|gas gas|this this|kiwis kiwi|caress caress|pious pious|dog's dog|"
    "dogs's' dog|'tis tis|agreed agre|feed feed|bled bled|motoring motor|sing sing|conflated conflat|troubled troubl|"
    "sized size|hopping hop|tanned tan|falling fall|hissing hiss|failing fail|filing file|hoping hope|happy happi|"
    "say say|by by|cry cri|relational relat|conditional condit|valenci valenc|digitizer digit|radicalism radic|"
    "formaliti formal|sensitiviti sensit|sensibiliti sensibl|geologi geolog|hopefulli hope|uselessli useless|"
    "goodli good|goodness good|formative format|triplicate triplic|electrical electr|revival reviv|allowance allow|"
    "airliner airlin|adjustable adjust|replacement replac|dependent depend|adoption adopt|homologou homologou|"
    "communism communism|angulariti angular|effective effect|probate probat|rate rate|cease ceas|controll control|"
    "roll roll|skis ski|dying die|idly idl|ugly ugli|singly singl|news news|inning inning|succeed succeed|"
    "generate generat|communion communion|arsenal arsenal|youth youth|boyish boyish|yy yy|is is"
)


@pytest.mark.parametrize("pair", STEMS.split("|"))
def test_each_rule(pair: str) -> None:
    word, expected = pair.split()

    assert stem(word) == expected


def test_words_of_wordnet() -> None:
    words = sorted(find_sources().read_synsets())

    stems = "".join(f"{stem(word)}\n" for word in words)

    # The digest of what the program's stemmer says of the 147,306 words, one per line.
    assert hashlib.sha256(stems.encode()).hexdigest() == (
        "1bf2bfc45e4a79c45f390a085176604a2356d3c28e4a0aea7df17e5bdd332388"
    )


@pytest.mark.parametrize("word", ["", "'", "''", "y", "\u65e5\u672c\u8a9e", "'s"])
def test_any_word_can_be_stemmed(word: str) -> None:
    assert isinstance(stem(word), str)

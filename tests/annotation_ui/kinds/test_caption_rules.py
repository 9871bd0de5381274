"""Tests of the rules for captions: accepted and rejected examples, in Python and in a browser."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page

from annotation_ui.kinds.caption_rules import RULES, Strictness, list_broken
from studies.shared.text import normalize_space

CASES = {
    "there-is": {
        False: ["There is a dog on a log", "there's a dog", "There\u2019s a dog", "“There is a dog”", "THERE IS A DOG"],
        True: [
            "A dog stands there is fine",
            "There isle",
            "Therein",
            "Theresa jumps",
            "Is there a dog",
            "There are two",
        ],
    },
    "past-or-future": {
        False: ["The man will jump", "She won't fall", "A dog is going to jump", "A bus about to leave", "It was red"],
        True: ["A dog going to the beach", "Goodwill store", "A washed car", "A girl going to school", "Willow trees"],
    },
    "speech": {
        False: ["A man says hi", 'A sign with "stop"', "«Bonjour»", "A woman telling who asked", "She said no"],
        True: [
            "A man talks to a woman",
            "A soothsayer",
            "Essays on a monitoring page",
            "A person's hat",
            "It\u2019s a hat",
        ],
    },
    "names": {
        False: ["A man in New York", "A dog named Rex", "A photo of Barack Obama"],
        True: ["A man. He runs", "A TV on a table", "Dogs run", "A boy in a T-shirt", "UFO over a field"],
    },
    "eight-words": {
        False: ["", "one two three four five six seven", "a - b - c - d - e - f", "! ! ! ! ! ! ! !", "onetwothreefour"],
        True: [
            "one two three four five six seven eight",
            "Ein Hund springt über einen Baum, der liegt.",
            "1 2 3 4 5 6 7 8",
        ],
    },
}
EXAMPLES = [(name, kept, text) for name, by_kept in CASES.items() for kept, texts in by_kept.items() for text in texts]
BY_NAME = {rule.name: rule for rule in RULES}


@pytest.mark.parametrize(("name", "kept", "text"), EXAMPLES, ids=ascii)
def test_rule_is_kept_or_broken(name: str, kept: bool, text: str) -> None:
    assert BY_NAME[name].is_kept_by(normalize_space(text)) is kept


def test_there_are_rules_each_with_its_reason() -> None:
    assert {rule.name: rule.strictness.value for rule in RULES} == {
        "important": "unchecked",
        "there-is": "blocks",
        "unimportant": "unchecked",
        "past-or-future": "warns",
        "speech": "warns",
        "names": "warns",
        "eight-words": "blocks",
        "sentence": "blocks",
    }
    assert all(str(rule.asks).endswith(".") and str(rule.reason).endswith(".") for rule in RULES)
    assert all(rule.is_checked == (rule.strictness is not Strictness.UNCHECKED) for rule in RULES)
    assert all(bool(rule.refusal) == (rule.strictness is Strictness.BLOCKS) for rule in RULES)


@given(st.text())
def test_eighth_word_is_enough_and_seven_never_are(text: str) -> None:
    rule = BY_NAME["eight-words"]
    caption = normalize_space(text)

    assert not rule.is_kept_by(normalize_space("word " * 7))
    assert rule.is_kept_by(normalize_space(f"{caption} {'word ' * 8}"))
    # A word has something beside marks, and words of Latin letters are apart by space.
    assert not caption.isascii() or not rule.is_kept_by(caption) or len(caption.split(" ")) >= 8


def test_broken_rules_are_listed_by_strictness() -> None:
    caption = "There is a man who was in Rome."

    assert [rule.name for rule in list_broken(caption, Strictness.BLOCKS)] == ["there-is"]
    assert [rule.name for rule in list_broken(caption, Strictness.WARNS)] == ["past-or-future", "names"]


@pytest.mark.browser
def test_browser_counts_as_python_does(page: Page) -> None:
    texts = [normalize_space(text) for _, _, text in EXAMPLES]
    texts += [
        "Ünïcödé wörds \u2014 “quoted” … and \u2013 dashes",
        "\u212a \u017f \u0130 \u0131 ß",
        "日本語 の 文",
        "a\u0301 b",
        "😀 😀 x",
        "`{|}~ [x] \\ ^_",
    ]
    checked = [rule for rule in RULES if rule.pattern]
    count = "([texts, pattern, flags]) => texts.map((text) => (text.match(new RegExp(pattern, flags)) || []).length)"

    found = {rule.name: page.evaluate(count, [texts, rule.pattern, rule.flags]) for rule in checked}

    assert json.dumps(found) == json.dumps({rule.name: [rule.count(text) for text in texts] for rule in checked})

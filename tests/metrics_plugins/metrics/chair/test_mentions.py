"""Tests of the objects mentioned in captions: compounds, toilet seats, and what the published rules miss."""

import json
from pathlib import Path

import pytest

from metrics_plugins.api import Batch
from metrics_plugins.metrics.chair.categories import CATEGORIES, CATEGORY_OF, JOINED
from metrics_plugins.metrics.chair.mentions import derive_mentions, find_categories, find_mentions
from metrics_plugins.metrics.chair.nltk_words import NltkWordsTokenizer
from metrics_plugins.metrics.chair.singular import Rules


def name_mentions(caption: str, *, rules: Rules = "published") -> list[str]:
    """Return the categories that a caption mentions, through the door that the metrics take."""
    batch = Batch.make(["x"], candidates=[caption])
    (found,) = derive_mentions(batch, NltkWordsTokenizer(), rules=rules)
    return [CATEGORIES[number] for number in found]


def test_the_table_has_cocos_categories_and_no_word_stands_for_two() -> None:
    assert len(CATEGORIES) == 80
    assert [CATEGORY_OF[category] for category in CATEGORIES] == list(range(80))
    assert len(JOINED) == 26 + 24 + 2 + 3


def test_golden_objects(golden_folder: Path) -> None:
    captions = {row["image_id"]: row["cand"] for row in json.loads((golden_folder / "chair_input.json").read_text())}
    expected = json.loads((golden_folder / "expected_chair.json").read_text())["sentences"]

    for image_id, caption in captions.items():
        assert name_mentions(caption) == expected[str(image_id)]["generated_objects"], caption


@pytest.mark.parametrize(
    ("caption", "published", "corrected"),
    [
        ("a city bus", [], ["bus"]),
        ("two buses", ["bus"], ["bus"]),
        ("a tennis racket", ["tennis racket"], ["tennis racket"]),  # of "tenni racket" the second word is enough
        ("a motor bike", [], ["motorcycle"]),  # joined to a name that nothing stands for
        ("a cheesecake", [], ["cake"]),
        ("men in ties", ["person"], ["person", "tie"]),
        ("two canoes", [], ["boat"]),
        ("a stove top oven", ["oven", "oven"], ["oven"]),
        ("an iPhone", [], ["cell phone"]),
        ("a wine glass", ["wine glass"], ["wine glass"]),
        ("a baby giraffe and its mother", ["giraffe", "person"], ["giraffe", "person"]),
        ("baby cubs", [], []),
        ("a passenger jet", ["airplane"], ["airplane"]),
        ("a train track", [], []),
        ("home plate", [], []),
        ("a bow tie", ["tie"], ["tie"]),
        ("a seat near the toilet", ["toilet"], ["toilet"]),
        ("a seat", ["chair"], ["chair"]),
        ("", [], []),
    ],
)
def test_captions(caption: str, published: list[str], corrected: list[str]) -> None:
    assert name_mentions(caption) == published
    assert name_mentions(caption, rules="corrected") == corrected


def test_a_mention_keeps_the_words_it_was_found_by() -> None:
    mentions = find_mentions(["a", "hot", "dog", "near", "a", "dog"], rules="published")

    assert [(mention.words, CATEGORIES[mention.category]) for mention in mentions] == [
        ("hot dog", "hot dog"),
        ("dog", "dog"),
    ]


@pytest.mark.parametrize("rules", ["published", "corrected"])
def test_categories_of_words_are_those_of_captions(rules: Rules) -> None:
    captions = ["two dogs near a toilet seat", "a hot dog and a Motor Bike", "nothing at all", "a bus in tennis"]

    found = find_categories([caption.lower().split() for caption in captions], rules=rules)

    assert [sorted(CATEGORIES[number] for number in each) for each in found] == [
        sorted(set(name_mentions(caption, rules=rules))) for caption in captions
    ]

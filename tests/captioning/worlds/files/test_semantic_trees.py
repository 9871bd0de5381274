"""Tests that propositions of captions equal the original's trees."""

import json
from pathlib import Path
from typing import Any

import pytest

from captioning.worlds.errors import NotRealisable
from captioning.worlds.files.semantic_trees import serialise_proposition
from captioning.worlds.language import parse_caption
from tests.captioning.worlds.samples import SETS, read_sample


def _sort_attributes(tree: Any) -> Any:
    """The original's lists of attributes have no fixed order."""
    if isinstance(tree, dict):
        return {name: _sort_attributes(value) for name, value in tree.items()}
    if isinstance(tree, list):
        parts = [_sort_attributes(each) for each in tree]
        is_attributes = all(isinstance(part, dict) and part["component"] == "Attribute" for part in parts)
        return sorted(parts, key=lambda part: part["predtype"]) if is_attributes else parts
    return tree


@pytest.mark.parametrize("name", SETS)
def test_published_captions_have_the_published_trees(name: str, data_folder: Path) -> None:
    trees = json.loads((data_folder / "shapeworld" / name / "caption_model.json").read_text())
    captions = read_sample(data_folder, name).captions

    found = [[serialise_proposition(parse_caption(text)) for text in texts] for texts in captions]

    assert _sort_attributes(found) == _sort_attributes(trees)


def test_quantities_beyond_the_samples() -> None:
    bounded = serialise_proposition(parse_caption("exactly two of the six squares are red ."))
    compared = serialise_proposition(parse_caption("twice as many squares as circles are red ."))

    assert (bounded["component"], bounded["bound"], bounded["quantifier"]["quantity"]) == ("NumberBound", 6, 2)
    assert (compared["component"], compared["qtype"], compared["quantity"]) == ("ComparativeQuantifier", "ratio", 2.0)


@pytest.mark.parametrize(
    "text",
    [
        "there is a square that is red .",
        "it is not the case that there is a square .",
        "there is a square and it is red .",
        "there is a square or there is a cross or there is a circle .",
    ],
)
def test_what_the_original_cannot_say_is_refused(text: str) -> None:
    with pytest.raises(NotRealisable, match="the original has no tree for"):
        serialise_proposition(parse_caption(text))

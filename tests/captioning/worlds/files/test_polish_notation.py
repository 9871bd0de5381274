"""Tests that captions in reverse Polish notation equal the original's."""

from itertools import pairwise
from pathlib import Path

import pytest

from captioning.worlds.files.caption_files import read_captions
from captioning.worlds.files.polish_notation import format_reverse_polish
from captioning.worlds.files.semantic_trees import serialise_proposition
from captioning.worlds.language import parse_caption
from captioning.worlds.truth.profiles import HEAD, SAMPLES, Profile
from tests.captioning.worlds.samples import SETS, read_sample


def _format(text: str, profile: Profile = SAMPLES) -> str:
    return format_reverse_polish(serialise_proposition(parse_caption(text)), profile=profile)


def _order_attributes(notation: str) -> list[str]:
    """Return the tokens with a color before a shape; the original's order of the attributes of a noun varies."""
    tokens = notation.split()
    for place, (first, second) in enumerate(pairwise(tokens)):
        if first.startswith("Attribute-shape") and second.startswith("Attribute-color"):
            tokens[place], tokens[place + 1] = second, first
    return tokens


@pytest.mark.parametrize("name", SETS)
def test_published_captions_have_the_published_notation(name: str, data_folder: Path) -> None:
    path = data_folder / "shapeworld" / name / "caption_rpn.txt"
    published = [line for lines in read_captions(path, n_worlds=20) for line in lines]
    captions = [text for texts in read_sample(data_folder, name).captions for text in texts]

    assert len(published) == 100
    assert [_order_attributes(_format(text)) for text in captions] == [_order_attributes(each) for each in published]


def test_the_last_state_joins_numbers_to_components() -> None:
    assert _format("a shape is a red square or there is a cross .", HEAD) == (
        "EntityType0 Attribute-color-red Attribute-shape-square EntityType2 Relation-type Existential "
        "Attribute-shape-cross EntityType1 Proposition-disjunction2"
    )


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("exactly two of the six squares are red .", "Relation-attribute Quantifier-count-eq-2 NumberBound-6"),
        ("less than half as many squares as crosses are red .", "ComparativeQuantifier-ratio-lt-0.5"),
        ("two less squares than crosses are red .", "ComparativeQuantifier-count-eq--2"),
        ("a square is not above a cross .", "1 EntityType Relation-y-rel--1 Relation-negation--1 Existential"),
        ("the square closest to the cross is red .", "Relation-attribute Existential"),
    ],
)
def test_components_that_the_samples_lack(text: str, ending: str) -> None:
    assert _format(text).endswith(ending)

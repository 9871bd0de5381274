"""Tests that every sentence of the original's language is parsed, realised unchanged and judged."""

from pathlib import Path

import pytest

from captioning.worlds.captions.checking import check_captions
from captioning.worlds.grounding import GroundedWorld
from captioning.worlds.language import parse_caption, realise_caption, write_sentence
from captioning.worlds.truth.profiles import PROFILES, Profile
from tests.captioning.worlds.language.original_language import RULES, list_sentences
from tests.captioning.worlds.samples import read_sample

SENTENCES = list_sentences(1, n_each=20)


def test_sentences_use_every_word_of_the_published_captions(data_folder: Path) -> None:
    words = {word for text in SENTENCES for word in text.split()}
    published = (data_folder / "shapeworld").glob("*/caption.txt")

    assert {word for path in published for word in path.read_text().split()} <= words
    assert len(SENTENCES) == 20 * sum(map(len, RULES.values()))


def test_every_sentence_is_parsed_and_realised_unchanged() -> None:
    assert [text for text in SENTENCES if realise_caption(parse_caption(text)) != text] == []


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_every_sentence_is_judged_however_it_is_written(profile: Profile, data_folder: Path) -> None:
    world = read_sample(data_folder, "logical-full").worlds[3]
    british = [text.replace("gray", "grey").replace("color", "colour") for text in SENTENCES]

    (plain,), faults = (result := check_captions([SENTENCES], [world], profile=profile)).values, result.faults

    assert faults == ()
    assert set(plain) == {-1, 0, 1}
    for written in (
        [write_sentence(text) for text in SENTENCES],
        [text.removesuffix(" .") for text in SENTENCES],
        [text.upper() for text in SENTENCES],
        [text.split() for text in SENTENCES],
        british,
    ):
        assert check_captions([written], [world], profile=profile).values == (plain,)
    metric = GroundedWorld(world, profile)
    assert tuple(metric.evaluate_caption(write_sentence(text)) for text in SENTENCES) == plain

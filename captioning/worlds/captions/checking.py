"""Check whether captions are grammatical and true of their worlds."""

from collections.abc import Sequence
from dataclasses import dataclass

from captioning.worlds.errors import NotGrammatical
from captioning.worlds.language import parse_caption, tokenize_sentence
from captioning.worlds.model import World
from captioning.worlds.truth.evaluating import evaluate_scenes
from captioning.worlds.truth.profiles import SAMPLES, Profile
from captioning.worlds.truth.scenes import Scenes


@dataclass(frozen=True, slots=True)
class Fault:
    """A caption that is not a sentence of the language; worlds and captions are numbered from 0."""

    world: int
    caption: int
    message: str


@dataclass(frozen=True, slots=True)
class CheckedCaptions:
    """For each world and caption 1 (true), 0 (ambiguous), -1 (false) or None (not a sentence), with the faults."""

    values: tuple[tuple[int | None, ...], ...]
    faults: tuple[Fault, ...]


def check_captions(
    captions: Sequence[Sequence[str | Sequence[str]]], worlds: Sequence[World], *, profile: Profile = SAMPLES
) -> CheckedCaptions:
    """Parse and evaluate the captions of each world.

    A caption may also be a written sentence (`A shape is red.`) or a list of words.
    """
    values: list[tuple[int | None, ...]] = []
    faults: list[Fault] = []
    for number, (texts, world) in enumerate(zip(captions, worlds, strict=True)):
        scenes = Scenes([world], profile=profile, single=True)
        row: list[int | None] = []
        for place, text in enumerate(texts):
            try:
                row.append(int(evaluate_scenes(parse_caption(tokenize_sentence(text)), scenes)))
            except NotGrammatical as error:
                row.append(None)
                faults.append(Fault(number, place, str(error)))
        values.append(tuple(row))
    return CheckedCaptions(tuple(values), tuple(faults))

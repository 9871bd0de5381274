"""Worlds as metrics read them: they evaluate captions, and reduce them to constructions."""

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from captioning.worlds.errors import NotGrammatical
from captioning.worlds.language import parse_caption, realise_caption, tokenize_sentence
from captioning.worlds.language.propositions import Is, Proposition
from captioning.worlds.model import World
from captioning.worlds.truth.evaluating import evaluate_scenes
from captioning.worlds.truth.profiles import SAMPLES, Profile
from captioning.worlds.truth.scenes import Scenes
from captioning.worlds.vocabulary import COLORS, SHAPES

_REDUCED = {
    **dict.fromkeys(COLORS, "<color>"),
    **dict.fromkeys(SHAPES, "<shape>"),
    **{"crosses" if shape == "cross" else f"{shape}s": "<shapes>" for shape in SHAPES},
    "an": "a",
}
"""Word -> the word of a construction; `shape` and `shapes` name no attribute and remain."""


@dataclass(frozen=True, slots=True)
class GroundedWorld:
    """A world with the profile under which captions of it are evaluated; a `CaptionWorld` of metrics."""

    world: World
    profile: Profile = SAMPLES

    def evaluate_caption(self, caption: str) -> int | None:
        """Return 1 (true), 0 (ambiguous), -1 (false), or None if the caption is not grammatical."""
        proposition = _parse(caption)
        return None if proposition is None else int(evaluate_scenes(proposition, _open_scenes(self)))

    def find_construction(self, caption: str) -> str | None:
        """Return the construction of a caption, as `find_construction` does."""
        return find_construction(caption)


def find_construction(caption: str) -> str | None:
    """Return a caption with each object reduced to the attributes that describe it; None if it is not grammatical.

    `a square is red` and `a circle is a blue shape` both give `a <shape> is <color> .`; `a shape is red` differs from
    both. Numbers, relations and connectives remain.
    """
    proposition = _parse(caption)
    if proposition is None:
        return None
    words = realise_caption(_shorten_predicates(proposition)).split()
    return " ".join(_REDUCED.get(word, word) for word in words)


def _shorten_predicates(node: Any) -> Any:
    """Return a proposition that says `is red` wherever it says `is a red shape`."""
    if isinstance(node, tuple):
        return tuple(_shorten_predicates(each) for each in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = replace(node, **{field.name: _shorten_predicates(getattr(node, field.name)) for field in fields(node)})
    if isinstance(changed, Is) and changed.noun.color and not changed.noun.shape and not changed.noun.relative:
        return replace(changed, adjective=True)
    return changed


@lru_cache(maxsize=100_000)
def _parse(caption: str) -> Proposition | None:
    try:
        return parse_caption(tokenize_sentence(caption))
    except NotGrammatical:
        return None


@lru_cache(maxsize=4_096)
def _open_scenes(grounded: GroundedWorld) -> Scenes:
    return Scenes([grounded.world], profile=grounded.profile, single=True)

"""Pairs of a true caption and one that differs from it by a single edit and is false, or not grammatical."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from captioning.worlds.captions.edits import EDIT_KINDS, draw_edit
from captioning.worlds.grounding import GroundedWorld
from captioning.worlds.instances import Caption, Instance, make_instance
from captioning.worlds.language import is_grammatical, realise_caption
from captioning.worlds.specs import Spec

OTHER_IMAGE, UNGRAMMATICAL = "other image", "ungrammatical"
PAIR_KINDS = (*EDIT_KINDS, OTHER_IMAGE, UNGRAMMATICAL)
_TRIES = 20


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """A true caption of a world, a worse one, and references.

    Parameters
    ----------
    set_name : str
        The set of the world.
    index : int
        Identifies the world in its set.
    kind : str
        One of `PAIR_KINDS`: what was edited (`EDIT_KINDS`), or the worse caption is a true caption of another world
        that is false of this one, or one word was dropped, replaced or moved so that no sentence remains.
    references : tuple of str
        Other true captions of the world; none equals `true`.
    """

    set_name: str
    index: int
    kind: str
    world: GroundedWorld
    true: str
    worse: str
    references: tuple[str, ...]


def make_pairs(spec: Spec, *, n_worlds: int, n_references: int = 10, split: str = "test") -> Iterator[MinimalPair]:
    """Yield the pairs of the first worlds of a split, at most one of each kind for a world.

    The same arguments give the same pairs. A kind that a caption does not allow is left out (a caption without a number
    has no other number), as is a world in which all references equal the caption.
    """
    instances = [
        make_instance(spec, split=split, index=index, n_captions=1 + n_references) for index in range(n_worlds + 1)
    ]
    words = list_words(instances)
    for instance, other in pairwise(instances):
        true = instance.captions[0].text
        references = tuple(caption.text for caption in instance.captions[1:] if caption.text != true)
        if not references:
            continue
        world = GroundedWorld(instance.world, spec.profile)
        rng = np.random.default_rng([instance.index, len(spec.name)])
        for kind in PAIR_KINDS:
            worse = draw_worse(
                kind, spec, instance.captions[:1], world, others=other.captions[:1], words=words, rng=rng
            )
            if worse is not None:
                yield MinimalPair(spec.name, instance.index, kind, world, true, worse, references)


def list_words(instances: Iterable[Instance]) -> list[str]:
    """Return the words of the first captions, sorted, with which `draw_worse` replaces words."""
    return sorted({word for each in instances for word in each.captions[0].text.split()[:-1]})


def draw_worse(
    kind: str,
    spec: Spec,
    captions: Sequence[Caption],
    world: GroundedWorld,
    *,
    others: Sequence[Caption],
    words: Sequence[str],
    rng: np.random.Generator,
) -> str | None:
    """Return a caption that is worse than one of the true `captions`: the first one that allows this kind, or None.

    `others` are true captions of other worlds, the first of which that is false of this one is `OTHER_IMAGE`. An edited
    relation is one of the set's, so that its words do not betray it.
    """
    if kind == OTHER_IMAGE:
        return next((other.text for other in others if world.evaluate_caption(other.text) == -1), None)
    for caption in captions:
        if kind == UNGRAMMATICAL:
            found = _break_caption(caption, words, rng)
        else:
            found = _edit(caption, kind, world, relations=spec.caption.all_relations, rng=rng)
        if found is not None:
            return found
    return None


def _edit(
    caption: Caption, kind: str, world: GroundedWorld, *, relations: Set[str], rng: np.random.Generator
) -> str | None:
    for _ in range(_TRIES):
        drawn = draw_edit(caption.proposition, weights={kind: 1.0}, relations=relations, rng=rng)
        if drawn is None:
            return None
        edited = realise_caption(drawn[1])
        if world.evaluate_caption(edited) == -1:
            return edited
    return None


def _break_caption(caption: Caption, words: Sequence[str], rng: np.random.Generator) -> str | None:
    broken = (_break_sentence(caption.text, words=words, rng=rng) for _ in range(_TRIES))
    return next((text for text in broken if not is_grammatical(text)), None)


def _break_sentence(caption: str, *, words: Sequence[str], rng: np.random.Generator) -> str:
    """Return a caption with one word dropped, replaced by another one of the set, or exchanged with the next."""
    tokens = caption.split()[:-1]
    place = int(rng.integers(len(tokens)))
    change = int(rng.integers(3))
    if change == 0:
        del tokens[place]
    elif change == 1:
        tokens[place] = words[int(rng.integers(len(words)))]
    else:
        following = (place + 1) % len(tokens)
        tokens[place], tokens[following] = tokens[following], tokens[place]
    return " ".join([*tokens, "."])

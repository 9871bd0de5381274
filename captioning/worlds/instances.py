"""Make instances: a world with captions, permanently identified by (specification, split, index)."""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from captioning.worlds.captions.captioners import CaptionSpec, Drawn, draw_caption, plan_caption
from captioning.worlds.errors import SamplingFailed
from captioning.worlds.language.grammar import load_grammar
from captioning.worlds.language.propositions import Proposition
from captioning.worlds.model import World
from captioning.worlds.rendering import render_world
from captioning.worlds.sampling import sample_world
from captioning.worlds.specs import SPLITS, Spec
from captioning.worlds.truth.scenes import Scenes

# Maximal number of tries for a caption in one world, maximal number of worlds, and number of worlds after which the
# planned relations and quantifiers are drawn again.
_CAPTION_TRIES = 2
_WORLD_TRIES = 400
_PLAN_TRIES = 25


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption of known truth; `edit` is the change that made a false caption false, empty for a true one."""

    text: str
    proposition: Proposition
    is_true: bool
    edit: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A world and its captions."""

    index: int
    world: World
    captions: tuple[Caption, ...]


@dataclass(frozen=True, slots=True)
class TrainingBatch:
    """Images of shape (n, size, size, 3), bytes, and a caption for each."""

    indices: tuple[int, ...]
    images: NDArray[np.uint8]
    captions: tuple[str, ...]


def make_instance(spec: Spec, *, split: str, index: int, n_captions: int = 1) -> Instance:
    """Make one instance; the same arguments give the same instance in any process.

    Parameters
    ----------
    split : str
        train, validation or test.
    index : int
        From 0, without an upper limit.
    n_captions : int
        The number of captions of the world, which are drawn independently. Other numbers give other worlds.

    Raises
    ------
    SamplingFailed
        If no world with such captions is found in 400 tries.
    """
    if n_captions < 1:
        raise ValueError(f"`n_captions` must be at least 1, got {n_captions}")
    rng = _seed(spec, use=f"correct={spec.correct_ratio!r};n={n_captions}", split=split, index=index)
    wanted = [bool(rng.random() < spec.correct_ratio) for _ in range(n_captions)]
    return _find_instance(spec, wanted, split=split, index=index, rng=rng)


def make_contrast(spec: Spec, *, split: str, index: int, n_true: int, n_false: int) -> Instance:
    """Make an instance with given numbers of true and of minimally false captions, the true ones first."""
    rng = _seed(spec, use=f"true={n_true};false={n_false}", split=split, index=index)
    return _find_instance(spec, [True] * n_true + [False] * n_false, split=split, index=index, rng=rng)


def _find_instance(spec: Spec, wanted: Sequence[bool], *, split: str, index: int, rng: np.random.Generator) -> Instance:
    # A single caption keeps its plan for several worlds, so that rarely true captions are not rare. Plans of several
    # captions can be contradictory (such as relations on both axes of two things), so they are redrawn within a world.
    plan = plan_caption(spec.caption, rng=rng)
    for attempt in range(1, _WORLD_TRIES + 1):
        world = sample_world(spec.world, rng=rng, withheld=spec.withheld, split=split if spec.withheld else "none")
        scenes = Scenes([world], profile=spec.profile, single=True)
        captions: list[Caption] = []
        for is_true in wanted:
            drawn = _draw(scenes, spec, plan if len(wanted) == 1 else None, is_true=is_true, rng=rng)
            if drawn is None:
                break
            text = load_grammar().realise(drawn.proposition)
            captions.append(Caption(text, drawn.proposition, drawn.is_true, drawn.edit))
        else:
            return Instance(index, world, tuple(captions))
        if attempt % _PLAN_TRIES == 0:
            plan = plan_caption(spec.caption, rng=rng)
    raise SamplingFailed(f"{spec.name}, {split}, {index}: no world with {len(wanted)} captions in {_WORLD_TRIES} tries")


def iterate_batches(
    spec: Spec, *, split: str = "train", batch_size: int, start: int = 0, executor: Executor | None = None
) -> Iterator[TrainingBatch]:
    """Yield an infinite sequence of batches, which are created on demand and not stored.

    Batch k contains the instances from `start + k * batch_size`. With an executor of processes, two batches per worker
    are created in advance.
    """
    firsts = iter(range(start, 2**62, batch_size))
    if executor is None:
        for first in firsts:
            yield make_batch(spec, split=split, start=first, size=batch_size)
        return
    ahead = 2 * (getattr(executor, "_max_workers", None) or 1)
    waiting = [
        executor.submit(make_batch, spec, split=split, start=next(firsts), size=batch_size) for _ in range(ahead)
    ]
    while True:
        yield waiting.pop(0).result()
        waiting.append(executor.submit(make_batch, spec, split=split, start=next(firsts), size=batch_size))


def make_batch(spec: Spec, *, split: str, start: int, size: int) -> TrainingBatch:
    """Make the instances from `start` on, each with one caption."""
    made = [make_instance(spec, split=split, index=index) for index in range(start, start + size)]
    return TrainingBatch(
        indices=tuple(instance.index for instance in made),
        images=np.stack([render_world(instance.world) for instance in made]),
        captions=tuple(instance.captions[0].text for instance in made),
    )


def _draw(
    scenes: Scenes, spec: Spec, plan: CaptionSpec | None, *, is_true: bool, rng: np.random.Generator
) -> Drawn | None:
    for _ in range(_CAPTION_TRIES if plan else _PLAN_TRIES):
        chosen = plan or plan_caption(spec.caption, rng=rng)
        drawn = draw_caption(scenes, chosen, is_true=is_true, rng=rng)
        if drawn is not None:
            return drawn
    return None


def _seed(spec: Spec, *, use: str, split: str, index: int) -> np.random.Generator:
    if split not in SPLITS:
        raise ValueError(f"`split` must be one of {', '.join(SPLITS)}, got {split!r}")
    if index < 0:
        raise ValueError(f"`index` must be at least 0, got {index}")
    name = f"{spec.name}@{spec.version};{spec.profile_name};{use}|{split}"
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([*_hash_name(name), index])))


@lru_cache
def _hash_name(name: str) -> tuple[int, ...]:
    """Return a hash as four 32-bit words, which, unlike Python's own hash, is the same in every process."""
    digest = hashlib.sha256(name.encode()).digest()
    return tuple(int.from_bytes(digest[place : place + 4], "little") for place in range(0, 16, 4))

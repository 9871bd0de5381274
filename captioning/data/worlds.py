"""Sets of worlds as captioned images, made once and read from a folder afterwards."""

import json
import os
from concurrent.futures import Executor
from contextlib import nullcontext
from pathlib import Path

import numpy as np

from captioning.api import CaptionedImages, Images
from captioning.data.splits import Splits
from captioning.worlds.files.world_files import parse_world
from captioning.worlds.grounding import GroundedWorld
from captioning.worlds.making import make_files, read_shard
from captioning.worlds.specs import Spec, find_spec
from execution.factory import choose_kind, make_executor

SHARD_SIZE = 500
N_REFERENCES = 10


def load_worlds(
    name: str,
    *,
    folder: Path,
    n_train: int,
    n_validation: int,
    n_test: int,
    n_references: int = N_REFERENCES,
    shard_size: int = SHARD_SIZE,
    executor: Executor | None = None,
) -> Splits:
    """Return the first instances of each split of a set, as the paper on ShapeWorldICE has them.

    Training worlds have one caption, validation and test worlds have `n_references`; all captions are true. Pixels are
    `(n, size, size, 3)`, bytes; the size of all ICE sets is 64. A larger number of instances begins with those of a
    smaller number.

    Args:
        name: A name that `python -m captioning worlds list` prints, such as `spatial-twoshapes`.
        folder: Where instances are stored; those that are there are not made again.
        n_train, n_validation, n_test: The numbers of worlds, at least 1.
        n_references: The number of captions of a validation or test world. Other numbers give other worlds.
        shard_size: The number of instances in a file.
        executor: Makes instances; by default that of `ACCORDANCE_EXECUTOR`, with a process for each core.

    Raises:
        UnknownSpec: No set has this name.
        BadWorldFile: The folder contains instances made with other parameters.
        ValueError: A number is less than 1.
    """
    spec = find_spec(name)
    sizes = {"train": (n_train, 1), "validation": (n_validation, n_references), "test": (n_test, n_references)}
    for split, (n_worlds, n_captions) in sizes.items():
        if min(n_worlds, n_captions) < 1:
            raise ValueError(f"{split} must have at least 1 world and 1 caption, got {n_worlds} and {n_captions}")
    parts = {
        split: _load_split(
            spec,
            split,
            # Other numbers of captions give other worlds, so that they are different files.
            folder=folder / f"{name}-{n_captions}",
            n_worlds=n_worlds,
            n_captions=n_captions,
            shard_size=shard_size,
            executor=executor,
        )
        for split, (n_worlds, n_captions) in sizes.items()
    }
    return Splits(train=parts["train"], validation=parts["validation"], test=parts["test"])


def _load_split(
    spec: Spec,
    split: str,
    *,
    folder: Path,
    n_worlds: int,
    n_captions: int,
    shard_size: int,
    executor: Executor | None,
) -> CaptionedImages:
    # Only full shards can be added to, so that whole shards are made.
    n_shards = -(-n_worlds // shard_size)
    n_made = max(n_shards * shard_size, _count_made(folder / f"{split}.json"))
    # A pool starts its processes when the first shard is to be made, if any.
    pool = nullcontext(executor) if executor is not None else make_executor(choose_kind(), workers=os.cpu_count() or 1)
    with pool as used:
        make_files(
            spec,
            split=split,
            n_instances=n_made,
            folder=folder,
            executor=used,
            n_captions=n_captions,
            shard_size=shard_size,
        )
    pixels = np.empty((n_worlds, spec.world.size, spec.world.size, 3), dtype=np.uint8)
    captions: list[tuple[str, ...]] = []
    worlds: list[GroundedWorld] = []
    for number in range(n_shards):
        images, records = read_shard(folder, split=split, number=number)
        n_kept = min(len(records), n_worlds - len(captions))
        pixels[len(captions) : len(captions) + n_kept] = images[:n_kept]
        for record in records[:n_kept]:
            source = f"{folder}: {split}, world {record['index']}"
            captions.append(tuple(each["text"].removesuffix(" .") for each in record["captions"]))
            worlds.append(GroundedWorld(parse_world(record["world"], source=source), spec.profile))
    return CaptionedImages(
        images=Images(keys=tuple(f"{spec.name}-{split}-{index}" for index in range(n_worlds)), pixels=pixels),
        captions=tuple(captions),
        worlds=tuple(worlds),
    )


def _count_made(recipe: Path) -> int:
    return int(json.loads(recipe.read_text(encoding="utf-8"))["instances"]) if recipe.is_file() else 0

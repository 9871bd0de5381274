"""Writes sets of instances to a folder as shards, and their captions in COCO's format.

A shard consists of two files: a compressed npz file with the images (200 files for 200,000 images, each read as a
whole), and a file with a line of JSON for the world and captions of each instance. Shards are written atomically, so
that an interrupted run can be continued.
"""

import io
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from captioning.worlds.errors import BadWorldFile
from captioning.worlds.files.world_files import serialise_world
from captioning.worlds.instances import Instance, make_instance
from captioning.worlds.language import write_sentence
from captioning.worlds.rendering import render_world
from captioning.worlds.specs import Spec
from execution.factory import count_places
from execution.outstanding import OutstandingCalls
from execution.whole_files import write_whole

SHARD_SIZE = 1000


@dataclass(frozen=True, slots=True)
class Recipe:
    """The parameters of a split, stored with the shards, so that only a run with the same parameters continues them."""

    name: str
    version: int
    profile: str
    split: str
    instances: int
    captions: int
    correct_ratio: float
    shard_size: int
    image_size: int


@dataclass(frozen=True, slots=True)
class MadeFiles:
    """The numbers of shards that a run wrote and that existed before, and the file of captions."""

    n_written: int
    n_kept: int
    captions: Path


def make_files(
    spec: Spec,
    *,
    split: str,
    n_instances: int,
    folder: Path,
    executor: Executor,
    n_captions: int = 1,
    shard_size: int = SHARD_SIZE,
    report: Callable[[int], None] = lambda _: None,
) -> MadeFiles:
    """Write the first instances of a split with `n_captions` each; `report` is called with numbers of instances.

    Shards are made by the executor, a few ahead, and written by this process, so that workers need not see the folder.

    Raises `BadWorldFile` if the folder contains instances of the split with other parameters.
    """
    recipe = Recipe(
        name=spec.name,
        version=spec.version,
        profile=spec.profile_name,
        split=split,
        instances=n_instances,
        captions=n_captions,
        correct_ratio=spec.correct_ratio,
        shard_size=shard_size,
        image_size=spec.world.size,
    )
    folder.mkdir(parents=True, exist_ok=True)
    _keep_recipe(folder / f"{split}.json", recipe)
    ranges = [range(first, min(first + shard_size, n_instances)) for first in range(0, n_instances, shard_size)]
    missing = [number for number in range(len(ranges)) if not _is_there(folder, split, number)]
    report(n_instances - sum(len(ranges[number]) for number in missing))
    with OutstandingCalls(executor, _make_shard, shared=(spec, split, n_captions)) as calls:
        wanted = ((number, ranges[number]) for number in missing)
        for (number, indices), future in calls.run(wanted, most=count_places(executor, workers=os.cpu_count() or 1)):
            images, lines = _name_shard(folder, split, number)
            made = future.result()
            write_whole(lines, made.lines)
            # The images are written last: if they exist, the shard is complete.
            write_whole(images, made.images)
            report(len(indices))
    captions = folder / f"captions_{split}.json"
    if missing or not captions.is_file():
        write_whole(captions, json.dumps(_make_coco(folder, recipe)).encode())
    return MadeFiles(n_written=len(missing), n_kept=len(ranges) - len(missing), captions=captions)


def read_shard(folder: Path, *, split: str, number: int) -> tuple[NDArray[np.uint8], list[dict[str, Any]]]:
    """Return the images of a shard, (n, size, size, 3), and the record of each instance."""
    images, lines = _name_shard(folder, split, number)
    with np.load(images) as content:
        return content["images"], [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]


def iterate_records(folder: Path, *, split: str) -> Iterator[dict[str, Any]]:
    """Yield the record of each instance: index, world, and captions with text, truth and edit."""
    number = 0
    while _is_there(folder, split, number):
        with _name_shard(folder, split, number)[1].open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)
        number += 1


def serialise_instance(instance: Instance) -> dict[str, Any]:
    """Return the JSON record of an instance."""
    captions = [{"text": each.text, "true": each.is_true, "edit": each.edit} for each in instance.captions]
    return {"index": instance.index, "captions": captions, "world": serialise_world(instance.world)}


@dataclass(frozen=True, slots=True)
class _Shard:
    """The content of the two files of a shard."""

    lines: bytes
    images: bytes


def _make_shard(shared: tuple[Spec, str, int], numbered: tuple[int, range]) -> _Shard:
    spec, split, n_captions = shared
    made = [make_instance(spec, split=split, index=index, n_captions=n_captions) for index in numbered[1]]
    text = "".join(json.dumps(serialise_instance(instance)) + "\n" for instance in made)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, images=np.stack([render_world(instance.world) for instance in made]))
    return _Shard(text.encode(), buffer.getvalue())


def _name_shard(folder: Path, split: str, number: int) -> tuple[Path, Path]:
    return folder / f"{split}-{number:05d}.npz", folder / f"{split}-{number:05d}.jsonl"


def _is_there(folder: Path, split: str, number: int) -> bool:
    return all(path.is_file() for path in _name_shard(folder, split, number))


def _keep_recipe(path: Path, recipe: Recipe) -> None:
    ours = asdict(recipe)
    if not path.is_file():
        write_whole(path, json.dumps(ours, indent=1).encode())
        return
    theirs = json.loads(path.read_text(encoding="utf-8"))
    different = {name: (theirs.get(name), value) for name, value in ours.items() if theirs.get(name) != value}
    # Instances with the same parameters can be added if the last shard is full.
    grows = set(different) == {"instances"} and theirs["instances"] < ours["instances"]
    if grows and theirs["instances"] % recipe.shard_size == 0:
        write_whole(path, json.dumps(ours, indent=1).encode())
        return
    if different:
        named = "; ".join(f"{name} is {old!r} there, asked for {new!r}" for name, (old, new) in different.items())
        raise BadWorldFile(f"{path}: the folder holds other instances: {named}; choose another folder")


def _make_coco(folder: Path, recipe: Recipe) -> dict[str, Any]:
    """Return the captions in COCO's format; the file name of an image consists of its shard and its row there."""
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for record in iterate_records(folder, split=recipe.split):
        number, row = divmod(record["index"], recipe.shard_size)
        shard = _name_shard(folder, recipe.split, number)[0].name
        images.append(
            {
                "id": record["index"],
                "file_name": shard,
                "row": row,
                "width": recipe.image_size,
                "height": recipe.image_size,
            }
        )
        for caption in record["captions"]:
            annotations.append(
                {
                    "id": len(annotations),
                    "image_id": record["index"],
                    "caption": write_sentence(caption["text"]),
                    "true": caption["true"],
                }
            )
    return {"info": asdict(recipe), "images": images, "annotations": annotations}

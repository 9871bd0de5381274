"""The published samples: worlds, captions and labels of six sets of the original generator."""

from dataclasses import dataclass
from pathlib import Path

from captioning.worlds.files.caption_files import read_agreement, read_captions
from captioning.worlds.files.world_files import read_worlds
from captioning.worlds.model import World

SETS = (
    "existential-oneshape",
    "existential-full",
    "relational-comparative",
    "relational-spatial",
    "quantification-count",
    "logical-full",
)


@dataclass(frozen=True)
class Sample:
    """One set: captions and labels are grouped by world."""

    worlds: tuple[World, ...]
    captions: tuple[tuple[str, ...], ...]
    labels: tuple[tuple[float, ...], ...]


def read_sample(data_folder: Path, name: str) -> Sample:
    """Read a set."""
    folder = data_folder / "shapeworld" / name
    worlds = read_worlds(folder / "world_model.json")
    captions = read_captions(folder / "caption.txt", n_worlds=len(worlds))
    return Sample(worlds, captions, read_agreement(folder / "agreement.txt"))

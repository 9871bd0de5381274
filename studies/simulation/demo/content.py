"""The content of the demo, read from the folder `data`: images, references, and caption sets of four systems."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).resolve().parent / "data"


@dataclass(frozen=True, slots=True)
class DemoSet:
    """The captions of one system for one image; the first of them is also judged separately.

    Attributes:
        fit: How well the first caption fits the image, 0 to 1, as perceived by simulated raters.
        variety: How varied the captions are, 0 to 1, as perceived by simulated raters.
    """

    system: str
    captions: tuple[str, ...]
    fit: float
    variety: float


@dataclass(frozen=True, slots=True)
class DemoImage:
    """One image with its references and the caption sets of all systems."""

    key: str
    file: Path
    references: tuple[str, ...]
    sets: tuple[DemoSet, ...]


def read_content(folder: Path) -> tuple[DemoImage, ...]:
    """Return the images of the demo in the order of its file."""
    content = json.loads((folder / "captions.json").read_text(encoding="utf-8"))
    return tuple(
        DemoImage(
            key=image["key"],
            file=folder / "images" / f"{image['key']}.png",
            references=tuple(image["references"]),
            sets=tuple(
                DemoSet(system, tuple(made["captions"]), fit=made["fit"], variety=made["variety"])
                for system, made in image["systems"].items()
            ),
        )
        for image in content["images"]
    )

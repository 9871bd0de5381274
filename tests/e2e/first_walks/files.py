"""The three files of a newcomer, with the images and captions of the demo, and columns named in their own way."""

import csv
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from studies.simulation.demo.content import DATA, DemoImage, read_content

SYSTEMS = ("captioner-a", "captioner-b", "captioner-c")


def write_files(folder: Path) -> Mapping[str, Path]:
    """Write `captions.csv`, `images.zip` and `references.csv`, and return each by its name."""
    images = read_content(DATA)
    _write_table(folder / "captions.csv", ["img", "text", "model"], _list_captions(images))
    references = [(image.key, text) for image in images for text in image.references]
    _write_table(folder / "references.csv", ["img", "text"], references)
    with zipfile.ZipFile(folder / "images.zip", "w") as archive:
        for image in images:
            archive.write(image.file, image.file.name)
    return {file.name: file for file in folder.iterdir()}


def read_fits() -> Mapping[str, float]:
    """Return how well each caption fits its image, 0 to 1, as the authors of the demo meant it."""
    return {made.captions[0]: made.fit for image in read_content(DATA) for made in image.sets if made.system in SYSTEMS}


def _list_captions(images: Sequence[DemoImage]) -> list[tuple[str, str, str]]:
    return [
        (image.key, made.captions[0], made.system) for image in images for made in image.sets if made.system in SYSTEMS
    ]


def _write_table(path: Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(columns)
        table.writerows(rows)

"""COCO's captions as shipped with pycocoevalcap, by image and as rows for several benchmarks."""

from __future__ import annotations

import argparse
import json
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metrics_plugins.api import Batch

FILES = ("captions_val2014.json", "captions_train2014.json")
N_REFERENCES = 4
Images = list[tuple[str, list[str]]]
Items = list[tuple[str, str, list[str]]]
_FOLDER = "coco/annotations"


def find_jar() -> Path:
    """Return the archive with the captions; if it is missing, exit with a message on how to get it."""
    package = find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        raise SystemExit("COCO's captions are in pycocoevalcap: pip install -c constraints.txt -e '.[meteor]'")
    return Path(package.submodule_search_locations[0]) / "spice" / "spice-1.0.jar"


def name_corpus(file: str) -> str:
    """Return the name of one of `FILES` as a corpus."""
    return f"{find_jar()}!{_FOLDER}/{file}"


def read_images(n_images: int) -> Images:
    """Return the captions of the first images by image id: of val2014 in order of id, then of train2014."""
    images: Images = []
    with zipfile.ZipFile(find_jar()) as archive:
        for file in FILES:
            if len(images) < n_images:
                captions: dict[int, list[str]] = {}
                for annotation in json.loads(archive.read(f"{_FOLDER}/{file}"))["annotations"]:
                    captions.setdefault(annotation["image_id"], []).append(annotation["caption"])
                images += [(str(image), texts) for image, texts in sorted(captions.items())]
    return images[:n_images]


def read_items(n_items: int) -> Items:
    """Return (key, candidate, references) of the first images: the first caption and the next `N_REFERENCES`."""
    return [(key, texts[0], texts[1 : 1 + N_REFERENCES]) for key, texts in read_images(n_items)]


def prepare(arguments: argparse.Namespace) -> None:
    """Write `items` items to the file `captions` as JSON, so that reading the archive is not timed."""
    items = read_items(arguments.items)
    arguments.captions.write_text(json.dumps(items))
    print(json.dumps({"n_items": len(items)}))


def load_items(path: Path) -> Items:
    """Return the items written by `prepare`."""
    return [(key, candidate, references) for key, candidate, references in json.loads(path.read_text())]


def batch_items(items: Items) -> Batch:
    """Return items as a batch for metrics."""
    from metrics_plugins.api import Batch

    return Batch.make(
        [key for key, _, _ in items],
        candidates=[candidate for _, candidate, _ in items],
        references=[references for _, _, references in items],
    )

"""Trained captioners in the folder that pages offer."""

import json
from pathlib import Path

from captioning.api import CaptionedImages, Images
from captioning.runtime import load_captioners
from captioning.runtime.trained import train_captioner

LINES = (("a cat on a mat", "a cat", "a cat"), ("a dog",))


def train_common(folder: Path, *, note: str = "") -> Path:
    """Train `common-caption`, whose captions are "a cat", "a cat on a mat" and "a dog", in this order."""
    data = CaptionedImages(Images(keys=("a", "b")), LINES, note=note)
    train_captioner(load_captioners(outside=False), "common-caption", data, data, folder=folder, seed=0)
    return folder


def write_objects(path: Path, dataset) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({image.key: ["cat", image.key] for image in dataset.images.all()}))
    return path

"""Training corpora: the captions on which a metric is fitted, read from one or more files."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from metrics_plugins.api import Batch, Input, MetricInfo
from metrics_plugins.readers.captions import read_captions
from metrics_plugins.readers.flickr import is_flickr, read_flickr
from metrics_plugins.readers.records import InputError
from metrics_plugins.readers.text import read_text


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Captions by image, in the order of the files.

    Attributes:
        digest: The digest of the images and their captions, which does not depend on the format of the files.
        captions: The captions of each image; each caption of a plain text has an image of its own.
    """

    digest: str
    captions: Mapping[str, tuple[str, ...]] = field(repr=False)

    def make_batch(self, info: MetricInfo) -> Batch:
        """Return the batch to fit a metric on: a row per image if it reads caption sets, else a row per caption.

        The references of a row are all captions of its image.
        """
        if Input.CAPTION_SET in info.inputs:
            rows = list(self.captions.values())
            return Batch.make(self.captions, caption_sets=rows, references=rows)
        pairs = [(image, caption) for image, captions in self.captions.items() for caption in captions]
        keys = [image for image, _ in pairs]
        references = [self.captions[image] for image in keys]
        return Batch.make(keys, candidates=[caption for _, caption in pairs], references=references)


def read_corpus(names: str) -> Corpus:
    """Read a corpus from files whose names are separated by commas.

    The files may be COCO's annotations or results (`.json`), tables with the columns `image_id` and `caption` (`.csv`,
    `.jsonl`, `.parquet`), files of Flickr8k and Flickr30k (`.token.txt`, `.token`), or plain text with one caption per
    line (`.txt`). A file in a zip is given as `ARCHIVE!MEMBER`.

    Raises:
        InputError: A file or record is invalid, or no file is given.
    """
    paths = [Path(name.strip()) for name in names.split(",") if name.strip()]
    if not paths:
        raise InputError(f"a corpus must be named by files, separated by commas, got {names!r}")
    captions: dict[str, list[str]] = {}
    for path in paths:
        for image, caption in _read_file(path):
            captions.setdefault(image, []).append(caption)
    digest = hashlib.sha256(repr(list(captions.items())).encode())
    return Corpus(digest=digest.hexdigest()[:12], captions={image: tuple(row) for image, row in captions.items()})


def _read_file(path: Path) -> list[tuple[str, str]]:
    if is_flickr(path):
        return [(record.image_id, record.caption) for record in read_flickr(path).records]
    if path.name.removesuffix(".gz").endswith(".txt"):
        lines = [line.strip() for line in read_text(path).split("\n")]
        found = [(f"{path.name} line {number}", line) for number, line in enumerate(lines, start=1) if line]
        if not found:
            raise InputError(f"{path}: must hold captions, got none")
        return found
    return [(record.image_id, record.caption) for record in read_captions(path).records]

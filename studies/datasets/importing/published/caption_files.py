"""Files of captions of published corpora: COCO's annotations, Karpathy's splits, and Flickr's lists.

Sources: X. Chen et al. (2015), Microsoft COCO Captions, arXiv 1504.00325; A. Karpathy, L. Fei-Fei (2015), Deep
Visual-Semantic Alignments for Generating Image Descriptions, CVPR (`dataset_coco.json` and others).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from studies.datasets.importing.files.json_files import check_list, check_object
from studies.datasets.importing.values import read_key, read_text
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.files import SourceFile

_COCO_NAME: Final = re.compile(r"COCO_[a-z]+\d+_0*(\d+)")
_JOINED: Final = re.compile(r"\s*(\d+)\s+(.*)")


@dataclass(frozen=True, slots=True)
class CaptionFile:
    """Captions of images, in order, and by the id that a caption has in its corpus."""

    by_image: dict[str, list[str]] = field(default_factory=dict)
    by_id: dict[str, str] = field(default_factory=dict)


def read_annotation_object(data: Mapping[str, Any], name: str) -> CaptionFile:
    """Return the captions of COCO's annotations (`annotations`), or of a split by Karpathy (`images` with `sentences`).

    Images are named by their file name, in COCO's annotations by their id.
    """
    found = CaptionFile()
    if "annotations" in data:
        for number, record in enumerate(check_list(data["annotations"], SourceLocation(name, "annotations")), start=1):
            location = SourceLocation(name, f"annotation {number}")
            check_object(record, location, fields=("image_id", "caption"))
            image = read_key(record["image_id"], location.at("image_id"), longest=200)
            _add(found, image, record["caption"], location.at("caption"), caption_id=record.get("id"))
        return found
    for number, record in enumerate(check_list(data["images"], SourceLocation(name, "images")), start=1):
        location = SourceLocation(name, f"image {number}")
        check_object(record, location, fields=("filename", "sentences"))
        image = read_key(record["filename"], location.at("filename"), longest=200)
        for sentence in check_list(record["sentences"], location.at("sentences")):
            check_object(sentence, location.at("sentences"), fields=("raw",))
            _add(found, image, sentence["raw"], location.at("raw"), caption_id=sentence.get("sentid"))
    return found


def _add(found: CaptionFile, image: str, caption: Any, location: SourceLocation, *, caption_id: Any) -> None:
    text = read_text(caption, location)
    found.by_image.setdefault(image, []).append(text)
    if caption_id is not None:
        found.by_id[str(caption_id)] = text


def is_piped(file: SourceFile) -> bool:
    """Whether a file has the header of Flickr30k's `results.csv`: `image_name| comment_number| comment`."""
    return file.content[:200].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"image_name|")


def read_piped(file: SourceFile) -> dict[str, list[str]]:
    """Return the captions of Flickr30k's `results.csv` by image.

    A published line lacks the second bar: `2199200615.jpg| 4   A dog runs across the grass .`
    """
    captions: dict[str, list[str]] = {}
    for number, line in enumerate(file.decode().splitlines()[1:], start=2):
        if not line.strip():
            continue
        location = SourceLocation(file.name, f"line {number}")
        image, *rest = (part.strip() for part in line.split("|", 2))
        if len(rest) == 1 and (joined := _JOINED.fullmatch(rest[0])):
            rest = [joined[1], joined[2]]
        if len(rest) != 2:
            raise ImportFailed(location, "must be an image, a number and a caption, separated by bars", got=line)
        captions.setdefault(read_key(image, location, longest=200), []).append(read_text(rest[1], location))
    return captions


def shorten_image(name: str) -> str:
    """Return a name of an image in a form in which files of different corpora agree.

    Folders and the extension are left out, and of COCO's file names all but the number.

    >>> [shorten_image(name) for name in ("val2014/COCO_val2014_000000000042.jpg", "42", "1007129816.jpg")]
    ['42', '42', '1007129816']
    """
    stem = re.sub(r"\.(jpe?g|png|gif|bmp|webp)$", "", name.replace("\\", "/").rpartition("/")[2], flags=re.IGNORECASE)
    coco = _COCO_NAME.fullmatch(stem)
    return coco[1] if coco else stem.lstrip("0") if stem.isdecimal() and stem.strip("0") else stem


def join_references(
    by_file: Sequence[tuple[str, Mapping[str, list[str]]]],
) -> tuple[dict[str, list[str]], tuple[str, ...]]:
    """Return references by image, of the first file that has the image under any form of its name, and notes."""
    references: dict[str, list[str]] = {}
    notes = []
    for name, own in by_file:
        known = {shorten_image(image) for image in references}
        new = {image: texts for image, texts in own.items() if shorten_image(image) not in known}
        references |= new
        if n_passed := len(own) - len(new):
            images = "1 image was" if n_passed == 1 else f"{n_passed:,} images were"
            notes.append(f"{name}: {images} skipped, because an earlier file has their references")
    return references, tuple(notes)

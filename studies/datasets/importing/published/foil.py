"""FOIL-COCO: captions of COCO, and copies of them with one wrong word.

Source: R. Shekhar et al. (2017), FOIL it! Find One mismatch between Image and Language caption, ACL.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from studies.datasets.importing.files.json_files import check_list, check_object, read_json
from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.published.caption_files import join_references, read_annotation_object, shorten_image
from studies.datasets.importing.reference_lists import list_others
from studies.datasets.importing.values import read_key, read_text
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile

_COLUMNS: Final = (
    *("item", "image", "system", "candidate", "other_system", "other_candidate"),
    *("value", "row_reference"),
)


@dataclass(slots=True)
class _Captions:
    """The captions with one annotation id: the original one, and its foils."""

    image: str
    original: str | None = None
    foils: list[tuple[str, SourceLocation]] = field(default_factory=list)


def load_foil(files: Sequence[SourceFile], reference_files: Sequence[SourceFile]) -> Table:
    """Return a pair for each foil: the original caption, which is the right one, and the foil.

    The references are the captions of the image in `captions_val2014.json` without the original one. Original and foils
    of a caption have the same `image_id` and `id`.
    """
    by_file = []
    for file in reference_files:
        data = check_object(read_json(file), SourceLocation(file.name), fields=())
        by_file.append((file.name, read_annotation_object(data, file.name).by_image))
    joined, notes = join_references(by_file)
    references = {shorten_image(image): texts for image, texts in joined.items()}
    records = []
    for file in files:
        for (image_id, caption_id), captions in _group_captions(file).items():
            for number, (foil, location) in enumerate(captions.foils, start=1):
                if captions.original is None:
                    raise ImportFailed(location.at("id"), "must also be the id of a caption with foil false")
                own = references.get(shorten_image(image_id))
                if own is None:
                    names = ", ".join(each.name for each in reference_files)
                    rule = f"must be an image with captions in {names}"
                    raise ImportFailed(location.at("image_id"), rule, got=Unquoted(image_id))
                others = [own[place] for place in list_others(captions.original, own)]
                values = (
                    *(f"{image_id}-{caption_id}-{number}", captions.image),
                    *("original", captions.original, "foil", foil, 1, others),
                )
                records.append(Record(location, dict(zip(_COLUMNS, values, strict=True))))
    if not records:
        raise ImportFailed(", ".join(file.name for file in files), "holds no foils")
    return Table(", ".join(file.name for file in files), _COLUMNS, records, notes=notes)


def _group_captions(file: SourceFile) -> dict[tuple[str, str], _Captions]:
    data = check_object(read_json(file), SourceLocation(file.name), fields=("images", "annotations"))
    names = _name_images(check_list(data["images"], SourceLocation(file.name, field="images")))
    groups: dict[tuple[str, str], _Captions] = {}
    for number, record in enumerate(
        check_list(data["annotations"], SourceLocation(file.name, field="annotations")), start=1
    ):
        location = SourceLocation(file.name, f"annotation {number}")
        check_object(record, location, fields=("id", "image_id", "caption", "foil"))
        image = read_key(record["image_id"], location.at("image_id"), longest=100)
        key = (image, read_key(record["id"], location.at("id"), longest=80))
        captions = groups.setdefault(key, _Captions(names.get(image, image)))
        text = read_text(record["caption"], location.at("caption"))
        if _is_foil(record["foil"], location.at("foil")):
            captions.foils.append((text, location))
        elif captions.original not in (None, text):
            raise ImportFailed(location.at("id"), "is a second original caption of this id", got=text)
        else:
            captions.original = text
    return groups


def _name_images(images: Sequence[Any]) -> dict[str, str]:
    """Return the file name of each image by its id."""
    return {
        str(image["id"]): str(image["file_name"])
        for image in images
        if isinstance(image, dict) and "id" in image and image.get("file_name")
    }


def _is_foil(value: Any, location: SourceLocation) -> bool:
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    if value not in (True, False):
        raise ImportFailed(location, "must be true or false", got=value)
    return bool(value)

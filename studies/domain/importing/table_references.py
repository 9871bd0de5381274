"""References of a table of judgments: from its own columns, or from a file beside it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from studies.domain.importing.coco import read_annotations
from studies.domain.importing.errors import ImportFailed, Place
from studies.domain.importing.files import SourceFile
from studies.domain.importing.table_columns import Columns
from studies.domain.importing.table_files import Record, Table, read_records
from studies.domain.importing.table_rows import CollectedItem
from studies.domain.importing.values import read_key, read_text


def read_reference_columns(table: Table, columns: Columns) -> dict[str, list[str]]:
    """Return the references of each image, from one text column or several, or a column of lists.

    Empty cells are left out. Raises ImportFailed where two rows of an image have different references.
    """
    references: dict[str, list[str]] = {}
    first_places: dict[str, Place] = {}
    for record in table.records:
        image = columns.read_key(record, "image", longest=200)
        texts = [text for column in columns.by_field["reference"] for text in _read_cell(record, column)]
        if references.setdefault(image, texts) != texts:
            rule = f"must have the references that {first_places[image].record} has for the same image"
            raise ImportFailed(record.place.at("reference"), rule, got=image)
        first_places.setdefault(image, record.place)
    return references


def read_reference_file(file: SourceFile) -> dict[str, list[str]]:
    """Return captions by image from a COCO annotation file, or a table with the columns `image` and `caption`."""
    if Path(file.name).suffix == ".json":
        return read_annotations(file)
    table = read_records(file)
    for column in ("image", "caption"):
        if column not in table.columns:
            raise ImportFailed(file.name, "must have the columns image and caption", got=", ".join(table.columns))
    references: dict[str, list[str]] = {}
    for record in table.records:
        image = read_key(record.values.get("image"), record.place.at("image"), longest=200)
        caption = read_text(record.values.get("caption"), record.place.at("caption"))
        references.setdefault(image, []).append(caption)
    return references


def add_anchors(references: Mapping[str, list[str]], items: Iterable[CollectedItem]) -> dict[str, list[str]]:
    """Return the references in which every anchor is found: an image without any has its anchors, each once.

    Raises ImportFailed where an image has references, and an anchor is none of them.
    """
    found = {image: list(texts) for image, texts in references.items()}
    for item in items:
        image = item.record.image
        if item.anchor is None or item.anchor in found[image]:
            continue
        if references[image]:
            rule = f"must be one of the {len(references[image])} references of image {image}"
            raise ImportFailed(item.place.at("anchor"), rule, got=item.anchor)
        found[image].append(item.anchor)
    return found


def _read_cell(record: Record, column: str) -> list[str]:
    value = record.values.get(column)
    values = value if isinstance(value, list) else [value]
    return [read_text(text, record.place.at(column)) for text in values if text is not None]

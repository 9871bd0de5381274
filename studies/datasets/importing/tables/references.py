"""Reads references for a table of judgments: from its own columns, or from a separate file."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from studies.datasets.importing.files.table_files import Record, Table, read_records
from studies.datasets.importing.published.coco import read_annotations
from studies.datasets.importing.published.flickr8k import read_captions
from studies.datasets.importing.tables.columns import Columns, read_cell
from studies.datasets.importing.tables.rows import CollectedItem
from studies.datasets.importing.values import read_key
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile

_LINES: Final = (".txt", ".token")
_COLUMNS_OF_TEXT: Final = (re.compile(r"references?(_?\d+)?"), re.compile(r"captions?(_?\d+)?"))


def read_reference_columns(table: Table, columns: Columns) -> dict[str, list[str]]:
    """Return the references of each image, from one or several text columns, or a column of lists.

    Empty cells are ignored. Raises ImportFailed if two rows of an image have different references.
    """
    references: dict[str, list[str]] = {}
    first_locations: dict[str, SourceLocation] = {}
    for record in table.records:
        image = columns.read_image(record)
        texts = list(columns.read_texts(record, "reference"))
        if references.setdefault(image, texts) != texts:
            rule = (
                f"must have the references that {first_locations[image].record} has for the same image; references of "
                "a row alone go into the field row_reference"
            )
            raise ImportFailed(record.location.at("reference"), rule, got=image)
        first_locations.setdefault(image, record.location)
    return references


def read_reference_file(file: SourceFile) -> dict[str, list[str]]:
    """Return references by image from a COCO annotation file, the `IMAGE#N<tab>caption` lines of Flickr8k and Flickr30k
    (`.txt`, `.token`), or a table as for `collect_references`."""
    if is_coco(file):
        return read_annotations(file)
    if is_lines(file):
        return {image: [own[number] for number in sorted(own)] for image, own in read_captions(file).by_image.items()}
    refused: list[ImportFailed] = []
    references = collect_references(read_records(file), refused=refused)
    if refused:
        raise refused[0]
    return references


def is_coco(file: SourceFile) -> bool:
    """Return whether a file of references is in COCO's format, by its name; otherwise it is a table."""
    return Path(file.name).suffix.lower() == ".json"


def is_lines(file: SourceFile) -> bool:
    """Whether a file of references has the lines of Flickr8k, by its name."""
    return Path(file.name).suffix.lower() in _LINES


def collect_references(table: Table, *, refused: list[ImportFailed]) -> dict[str, list[str]]:
    """Return the references of each image, in order; errors of single rows are added to `refused`.

    A row has an image and at least one reference: in the column `reference` (or `references`, `caption`), in numbered
    columns (`reference_1`, `reference_2`), or as a list. Rows of the same image add up; empty cells beside a non-empty
    one are ignored.
    """
    columns = find_columns_of_text(table.columns)
    if "image" not in table.columns or not columns:
        rule = "must have the columns image and reference (or several: reference_1, reference_2)"
        refused.append(ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns))))
        return {}
    references: dict[str, list[str]] = {}
    for record in table.records:
        try:
            image, texts = _read_row(record, columns)
        except ImportFailed as error:
            refused.append(error)
        else:
            references.setdefault(image, []).extend(texts)
    return references


def add_anchors(references: Mapping[str, list[str]], items: Iterable[CollectedItem]) -> dict[str, list[str]]:
    """Return the references including every anchor: an image without references gets its anchors, each once.

    Raises ImportFailed if an image has references and an anchor is not among them.
    """
    found = {image: list(texts) for image, texts in references.items()}
    for item in items:
        image = item.record.image
        if item.anchor is None or item.anchor in found[image]:
            continue
        if references[image]:
            rule = f"must be one of the {len(references[image])} references of image {image}"
            raise ImportFailed(item.location.at("anchor"), rule, got=item.anchor)
        found[image].append(item.anchor)
    return found


def find_columns_of_text(columns: Sequence[str]) -> list[str]:
    """Return the columns with references: those of the first name found, so that a `caption` beside them is not one."""
    found = ([column for column in columns if pattern.fullmatch(column)] for pattern in _COLUMNS_OF_TEXT)
    return next(filter(None, found), [])


def _read_row(record: Record, columns: Sequence[str]) -> tuple[str, list[str]]:
    image, location = record.values.get("image"), record.location.at("image")
    if image is None:
        raise ImportFailed(location, "must not be empty")
    texts = [text for column in columns for text in read_cell(record, column)]
    if not texts:
        raise ImportFailed(record.location.at(columns[0]), "must not be empty")
    return read_key(image, location, longest=200), texts

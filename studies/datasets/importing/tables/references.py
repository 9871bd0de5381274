"""Reads references for a table of judgments: from its own columns, or from a separate file."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from studies.datasets.importing.files.column_names import guess_reference_columns
from studies.datasets.importing.files.json_files import read_json
from studies.datasets.importing.files.json_tables import has_lines, read_json_records
from studies.datasets.importing.files.table_files import Record, Table, read_records
from studies.datasets.importing.published.caption_files import (
    is_piped,
    join_references,
    read_annotation_object,
    read_piped,
    shorten_image,
)
from studies.datasets.importing.published.coco import read_annotations
from studies.datasets.importing.published.flickr8k.captions import read_captions
from studies.datasets.importing.tables.columns import Columns, read_cell
from studies.datasets.importing.tables.rows import CollectedItem
from studies.datasets.importing.values import read_key
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile

_LINES: Final = (".txt", ".token")
_COLUMNS_OF_TEXT: Final = tuple(
    re.compile(rf"{name}(_?\d+)?") for name in ("references?", "captions?", "refs?", "raw", "comment", "sentences?")
)
_COLUMNS_OF_IMAGE: Final = ("image", "image_name", "filename", "file_name", "image_id", "imgid", "seg_id", "img_id")


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


def read_reference_files(files: Sequence[SourceFile]) -> tuple[dict[str, list[str]], tuple[str, ...]]:
    """Return the references in several files by image, each as `read_reference_file` does, and notes.

    An image has those of the first file that has it, since a corpus is published in several forms; a note counts the
    images of a file that were passed over.
    """
    return join_references([(file.name, read_reference_file(file)) for file in files])


def read_reference_file(file: SourceFile) -> dict[str, list[str]]:
    """Return references by image.

    The file is a COCO annotation file or a split by Karpathy (`.json`), the `IMAGE#N<tab>caption` lines of Flickr8k and
    Flickr30k (`.txt`, `.token`), the `image_name| comment_number| comment` lines of Flickr30k's `results.csv`, or a
    table as for `collect_references`, in JSON too.
    """
    if is_piped(file):
        return read_piped(file)
    if is_coco(file):
        return _read_json_references(file)
    if is_lines(file):
        return {image: [own[number] for number in sorted(own)] for image, own in read_captions(file).by_image.items()}
    return _collect_all(read_records(_name_table(file)))


def match_images(images: Iterable[str], references: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the references of these images, of which one may have another form of the name in the file.

    A name with its extension or folder agrees with one without, and COCO's file names with COCO's numbers. Images that
    the file does not have are left out.
    """
    short: dict[str, list[str]] = {}
    for name in references:
        short.setdefault(shorten_image(name), []).append(name)
    found = {}
    for image in images:
        names = [image] if image in references else short.get(shorten_image(image), [])
        if len(names) == 1:
            found[image] = references[names[0]]
    return found


def _read_json_references(file: SourceFile) -> dict[str, list[str]]:
    if has_lines(file):
        return _collect_all(read_json_records(file))
    data = read_json(file)
    if isinstance(data, dict) and "annotations" in data:
        return read_annotations(file)
    if isinstance(data, dict) and isinstance(data.get("images"), list):
        return read_annotation_object(data, file.name).by_image
    return read_annotations(file) if isinstance(data, dict) else _collect_all(read_json_records(file))


def _collect_all(table: Table) -> dict[str, list[str]]:
    refused: list[ImportFailed] = []
    references = collect_references(table, refused=refused)
    if refused:
        raise refused[0]
    return references


def _name_table(file: SourceFile) -> SourceFile:
    """Return a table with an ending by which it can be read."""
    return SourceFile(f"{file.name}.csv", file.content) if Path(file.name).suffix.lower() in _LINES else file


def is_coco(file: SourceFile) -> bool:
    """Return whether a file of references is in COCO's format, by its name; otherwise it is a table."""
    return Path(file.name).suffix.lower() == ".json"


def is_lines(file: SourceFile) -> bool:
    """Whether a file of references has the lines of Flickr8k, by its name; another one is a table with a header."""
    has_header = file.content[:100].removeprefix(b"\xef\xbb\xbf").startswith((b"image,", b"image_name,"))
    return Path(file.name).suffix.lower() in _LINES and not has_header


def collect_references(table: Table, *, refused: list[ImportFailed]) -> dict[str, list[str]]:
    """Return the references of each image, in order; errors of single rows are added to `refused`.

    A row has an image and at least one reference: in the column `reference` (or `references`, `caption`, `refs`, `raw`,
    `comment`, `sentence`), in numbered columns (`reference_1`, `reference_2`), or as a list. Rows of the same image add
    up; empty cells beside a non-empty one are ignored. Other common names of the columns (`img`, `text`) are recognised
    where none of these is there.
    """
    guessed = guess_reference_columns(table.columns)
    columns = find_columns_of_text(table.columns) or [guessed[name] for name in ("reference",) if name in guessed]
    image_column = next((name for name in _COLUMNS_OF_IMAGE if name in table.columns), guessed.get("image"))
    if image_column is None or not columns:
        rule = "must have the columns image and reference (or several: reference_1, reference_2)"
        refused.append(ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns))))
        return {}
    references: dict[str, list[str]] = {}
    for record in table.records:
        try:
            image, texts = _read_row(record, columns, image_column=image_column)
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


def _read_row(record: Record, columns: Sequence[str], *, image_column: str) -> tuple[str, list[str]]:
    image, location = record.values.get(image_column), record.location.at(image_column)
    if image is None:
        raise ImportFailed(location, "must not be empty")
    texts = [text for column in columns for text in read_cell(record, column)]
    if not texts:
        raise ImportFailed(record.location.at(columns[0]), "must not be empty")
    return read_key(image, location, longest=200), texts

"""Reads the items of a draft from a table or from COCO result files, one per system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from studies.datasets.importing.files.json_files import check_list, check_object, read_json
from studies.datasets.importing.files.table_files import ENDINGS, Record, Table, read_records
from studies.datasets.importing.published.coco import collect_annotations, name_system
from studies.datasets.importing.tables.references import collect_references, is_coco
from studies.datasets.importing.values import read_key
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile
from studies.shared.limits import LIMITS, FileLimits

FIELDS_OF_RESULTS: Final[Mapping[str, str]] = MappingProxyType(
    {"image": "image_id", "candidate": "caption", "other_candidate": "caption"}
)
"""Column of a draft's table -> the field of a COCO result with its value."""


@dataclass(frozen=True, slots=True)
class References:
    """A file of references: captions by image, file names of images where given, and its rows."""

    captions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    table: Table = field(default_factory=lambda: Table("", (), ()))


def read_judged(
    files: Sequence[SourceFile], *, kind: TaskKind, refused: list[ImportFailed], limits: FileLimits = LIMITS
) -> Table:
    """Return a table of the items; errors of single records are added to `refused`.

    Args:
        files: A CSV, JSON Lines or Parquet file, or COCO result files. If pairs are judged and there are two of these,
                the captions of an image are a pair; otherwise each caption is a row.

    Raises:
        ImportFailed: The files cannot be read, or do not match each other.
    """
    results = [file for file in files if file.name.lower().endswith(".json")]
    if len(files) == 1 and not results:
        return read_records(files[0], refused=refused, limits=limits)
    if len(results) != len(files):
        got = Unquoted(", ".join(file.name for file in files))
        raise ImportFailed("the items", "must be one table, or COCO results (.json), one file per system", got=got)
    systems = [name_system(file) for file in files]
    if len(set(systems)) < len(systems):
        raise ImportFailed("the items", "must be results of different systems", got=Unquoted(", ".join(systems)))
    if kind == TaskKind.PAIRWISE and len(files) <= 2:
        return _pair_results(files, systems, refused=refused)
    records = [
        Record(location, {"image": values.get("image_id"), "candidate": values.get("caption"), "system": system})
        for file, system in zip(files, systems, strict=True)
        for location, values in _read_results(file, refused=refused)
    ]
    columns = ("image", "system") if kind == TaskKind.CAPTION else ("image", "candidate", "system")
    return Table(" and ".join(file.name for file in files), columns, records)


def read_references(file: SourceFile, *, refused: list[ImportFailed], limits: FileLimits = LIMITS) -> References:
    """Read a table of references, or COCO's `{"images": [{"id": ..., "file_name": ...}], "annotations": [...]}`.

    Errors of single rows or records are added to `refused`.

    Raises:
        ImportFailed: The file has another structure; the message names the record.
    """
    if is_coco(file):
        return _read_coco_references(file, refused=refused)
    if not file.name.lower().endswith(ENDINGS):
        rule = f"must be a table ({', '.join(ENDINGS)}) or COCO caption annotations (.json); each may end in .gz"
        raise ImportFailed(file.name, rule)
    table = read_records(file, refused=refused, limits=limits)
    return References(collect_references(table, refused=refused) if table.records else {}, table=table)


def name_fields(error: ImportFailed, *, names: Mapping[str, str]) -> ImportFailed:
    """Return an error with the field name used in the researcher's own file; `names` has it by column of a draft."""
    location = error.location
    if not isinstance(location, SourceLocation) or not names.get(location.field):
        return error
    return ImportFailed(location.at(names[location.field]), error.rule, got=Unquoted(error.got))


def _read_coco_references(file: SourceFile, *, refused: list[ImportFailed]) -> References:
    captions = collect_annotations(file, refused=refused)
    names = {}
    data = read_json(file)
    for number, record in enumerate(data["images"], start=1):
        # Errors of these records have been reported already.
        if not isinstance(record, dict) or "id" not in record or record.get("file_name") is None:
            continue
        location = SourceLocation(file.name, f"image {number}")
        try:
            names[str(record["id"])] = read_key(record["file_name"], location.at("file_name"), longest=200)
        except ImportFailed as error:
            refused.append(error)
    rows = [(number, row) for number, row in enumerate(data["annotations"], start=1) if isinstance(row, dict)]
    records = [Record(SourceLocation(file.name, f"annotation {number}"), row) for number, row in rows]
    return References(captions, names, Table(file.name, ("image_id", "caption"), records))


def _read_results(file: SourceFile, *, refused: list[ImportFailed]) -> list[tuple[SourceLocation, dict[str, Any]]]:
    found = []
    for number, record in enumerate(check_list(read_json(file), SourceLocation(file.name)), start=1):
        location = SourceLocation(file.name, f"record {number}")
        try:
            found.append((location, check_object(record, location, fields=("image_id", "caption"))))
        except ImportFailed as error:
            refused.append(error)
    if not found and not refused:
        raise ImportFailed(file.name, "holds no results")
    return found


def _pair_results(files: Sequence[SourceFile], systems: Sequence[str], *, refused: list[ImportFailed]) -> Table:
    if len(files) != 2:
        got = Unquoted(f"{len(files)}")
        raise ImportFailed(
            "the items", "must be at least two files of results if pairs are judged, or one table", got=got
        )
    first, second = (
        {str(values["image_id"]): (location, values) for location, values in _read_results(file, refused=refused)}
        for file in files
    )
    for one, other, file in ((first, second, files[1]), (second, first, files[0])):
        refused += [
            ImportFailed(one[image][0].at("image"), f"must also have a caption in {file.name}", got=Unquoted(image))
            for image in one.keys() - other.keys()
        ]
    records = [
        Record(
            location,
            {
                "image": values["image_id"],
                "candidate": values["caption"],
                "system": systems[0],
                "other_candidate": second[image][1]["caption"],
                "other_system": systems[1],
            },
        )
        for image, (location, values) in first.items()
        if image in second
    ]
    columns = ("image", "candidate", "system", "other_candidate", "other_system")
    return Table(" and ".join(file.name for file in files), columns, records)

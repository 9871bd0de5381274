"""Reads the rows of consensus studies: which of two captions, B or C, is more similar to a reference A.

The published files (`consensus_pascal.mat`, `consensus_abstract.mat`) have a struct array `triplets`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from studies.datasets.importing.files.mat_files import is_cells, load_mat, unwrap_numbers, unwrap_text
from studies.datasets.importing.files.table_files import ENDINGS, Table, read_records
from studies.datasets.importing.values import read_key, read_number, read_text
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile

_FIELDS: Final = ("A", "B", "C", "rating")
_ADDITIONAL: Final = ("image", "category")


@dataclass(frozen=True, slots=True)
class TripletRow:
    """One vote: the reference, the two captions, and the vote (1 = B is more similar to A, -1 = C, 0 = neither)."""

    anchor: str
    captions: tuple[str, str]
    value: int
    location: SourceLocation
    image: str = ""
    category: str = ""


def read_triplet_rows(file: SourceFile) -> list[TripletRow]:
    """Return the votes of a .mat file, or of a table with the columns A, B, C, rating and perhaps image and category.

    Raises ImportFailed if a field is missing or a rating is not 1, -1 or 0.
    """
    if file.name.lower().endswith(".mat"):
        return list(_read_mat(file))
    if not file.name.lower().endswith(ENDINGS):
        raise ImportFailed(file.name, f"must end in .mat, {', '.join(ENDINGS)}")
    return list(_read_table(read_records(file)))


def _read_mat(file: SourceFile) -> Iterator[TripletRow]:
    records = load_mat(file, variables={"triplets": _FIELDS})["triplets"].reshape(-1)
    if not len(records):
        raise ImportFailed(SourceLocation(file.name, "variable triplets"), "must have at least one row")
    for number, record in enumerate(records, start=1):
        location = SourceLocation(file.name, f"record {number}")
        texts = [
            read_text(unwrap_text(record[name], location.at(name)), location.at(name)).strip() for name in _FIELDS[:3]
        ]
        value = unwrap_numbers(_open_cells(record["rating"]), location.at("rating"))
        if len(value) != 1 or value[0] not in (1, 0, -1):
            got = Unquoted(", ".join(map(str, value[:20])) or "none")
            raise ImportFailed(location.at("rating"), "must be 1 (B), -1 (C) or 0", got=got)
        yield TripletRow(texts[0], (texts[1], texts[2]), value[0], location)


def _open_cells(value: Any) -> Any:
    while is_cells(value) and value.size == 1:
        value = value.reshape(-1)[0]
    return value


def _read_table(table: Table) -> Iterator[TripletRow]:
    names = {name.casefold(): name for name in table.columns}
    for field in _FIELDS:
        if field.casefold() not in names:
            rule = f"must have the columns {', '.join(_FIELDS)}"
            raise ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns)))
    for record in table.records:
        cells = {
            field: (record.values.get(names.get(field.casefold(), "")), record.location.at(field))
            for field in (*_FIELDS, *_ADDITIONAL)
        }
        texts = [read_text(*cells[field]).strip() for field in _FIELDS[:3]]
        value = read_number(*cells["rating"])
        if value not in (1, 0, -1):
            raise ImportFailed(cells["rating"][1], "must be 1 (B), -1 (C) or 0", got=f"{value:g}")
        image, category = (
            "" if cells[field][0] is None else read_key(*cells[field], longest=longest)
            for field, longest in zip(_ADDITIONAL, (200, 50), strict=True)
        )
        yield TripletRow(texts[0], (texts[1], texts[2]), int(value), record.location, image, category)

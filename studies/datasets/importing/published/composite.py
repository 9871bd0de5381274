"""Composite: captions of people and two or three systems for an image, rated for correctness from 1 to 5.

Source: S. Aditya et al. (2015), arXiv 1511.03292. The files `8k_correctness.csv`, `30k_correctness.csv` and
`coco_correctness.csv` have an image in each row, with its captions and their ratings in columns.
"""

import csv
from collections.abc import Iterator, Sequence
from typing import Any, Final

from studies.datasets.importing.files.json_tables import read_any_records
from studies.datasets.importing.files.table_files import Record, Table
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile

_IMAGE: Final = "Input.image_url"
_TEXT: Final = "Input.text"
_MOST_CAPTIONS: Final = 4
_COLUMNS: Final = ("image", "system", "caption", "correctness", "item")


def load_composite(files: Sequence[SourceFile], _references: Sequence[SourceFile]) -> Table:
    """Return a row for each rated caption, of files with an image in each row or with a caption in each row."""
    records: list[Record] = []
    columns: dict[str, None] = {}
    for file in files:
        is_wide = _IMAGE.encode() in file.content[:10_000].split(b"\n", 1)[0]
        table = Table(file.name, _COLUMNS, list(_split_rows(file))) if is_wide else read_any_records(file)
        columns.update(dict.fromkeys((*table.columns, "item")))
        for record in table.records:
            records.append(Record(record.location, {**record.values, "item": f"row-{len(records) + 1}"}))
    return Table(", ".join(file.name for file in files), tuple(columns), records)


def _split_rows(file: SourceFile) -> Iterator[Record]:
    """Yield the captions of an original file, whose columns are separated by semicolons.

    The last rows of the published files are empty or incomplete. A caption or rating that stands alone is a row too, so
    that it is counted; only places without either are passed over.
    """
    reader = csv.reader(file.decode().splitlines(), delimiter=";")
    header = [name.strip() for name in next(reader)]
    if f"{_TEXT}1" not in header or "Answer.Q1Answer" not in header:
        rule = f"must have the columns {_IMAGE}, {_TEXT}1, Answer.Q1Answer and so on"
        raise ImportFailed(SourceLocation(file.name, "line 1"), rule, got=Unquoted(", ".join(header)))
    for row in reader:
        cells: dict[str, Any] = dict(zip(header, (cell.strip() for cell in row), strict=False))
        location = SourceLocation(file.name, f"line {reader.line_num}")
        image = cells.get(_IMAGE, "").rpartition("/")[2]
        for number in range(1, _MOST_CAPTIONS + 1):
            text, rating = cells.get(f"{_TEXT}{number}"), cells.get(f"Answer.Q{number}Answer")
            if text or rating:
                values = (image or None, f"position-{number - 1}", text or None, rating or None)
                yield Record(location, dict(zip(_COLUMNS, values, strict=False)))

"""Imports judgments sent by a program, as rows or files, as a closed study, like `import_data table`."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from studies.access.audit import Actor
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.results import ImportResult
from studies.datasets.importing.tables.columns import FIELDS
from studies.datasets.importing.tables.reading import read_table
from studies.datasets.importing.values import check_name
from studies.datasets.importing.writing import write_dataset
from studies.shared.errors import ImportFailed, SourceLocation


def import_rows(
    name: str,
    *,
    rows: Sequence[Mapping[str, Any]],
    references: Mapping[str, Sequence[str]],
    scale: str,
    protocol: str,
    actor: Actor,
    now: datetime,
) -> ImportResult:
    """Import judgments as a closed study owned by the actor, in one transaction.

    Args:
        name: The name of the study and its dataset.
        rows: As in the table of `import_data table`: image, system, candidate, value and, if known, rater.
        references: Captions by image; empty if the rows have references.
        scale: The allowed values of a rating; empty for the values in the rows.
        protocol: The protocol; empty for the default of the kind of study.
        actor, now: The account and the time.

    Raises:
        ImportFailed: A value breaks a rule, or a row has an unknown field; the message names the row (`line 3` is the
            third) and the field.
    """
    check_name(name)
    _check_fields(rows)
    with TemporaryDirectory(prefix="accordance-rows-") as folder:
        source, captions = Path(folder, "rows.jsonl"), Path(folder, "references.jsonl")
        _write_lines(source, rows)
        _write_lines(
            captions, ({"image": image, "caption": text} for image, each in references.items() for text in each)
        )
        options = ImportOptions(
            source=source,
            study=name,
            references=(captions,) if references else (),
            scale=scale or None,
            protocol=protocol or None,
        )
        return write_dataset(read_table(options), now=now, owner=actor.user, actor=actor)


def _check_fields(rows: Iterable[Mapping[str, Any]]) -> None:
    # Unknown columns of a file are ignored; rows are written for this purpose, so an unknown field is an error.
    for number, row in enumerate(rows, start=1):
        for field in row:
            if field not in FIELDS:
                location = SourceLocation("rows.jsonl", f"line {number}", field)
                raise ImportFailed(location, f"is not a field; the fields are {', '.join(FIELDS)}")


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            # One line per row, so that line numbers in messages are row numbers.
            file.write(json.dumps(record, ensure_ascii=False) + "\n")

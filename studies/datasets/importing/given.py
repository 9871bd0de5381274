"""Judgments that a program hands over: rows, or files, made a closed study as `import_data table` does."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from studies.access.auditing import Actor
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
    """Import judgments as a closed study that belongs to who acts, all or nothing.

    Args:
        name: Of the study and its dataset.
        rows: As in the table of `import_data table`: image, system, candidate, value and, where known, rater.
        references: Captions by image; empty if the rows have their own.
        scale: The values that a rating may have; empty for those that come.
        protocol: Empty for the one that studies of the kind start with.
        actor, now: Who, and when.

    Raises:
        ImportFailed: Something breaks a rule, or a row has a field that there is not; the message names the row
            (`line 3` is the third) and the field.
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
            references=captions if references else None,
            scale=scale or None,
            protocol=protocol or None,
        )
        return write_dataset(read_table(options), now=now, owner=actor.user, actor=actor)


def _check_fields(rows: Iterable[Mapping[str, Any]]) -> None:
    # Of a file every column that is not asked for is passed over; rows are written for this, so that is a mistake.
    for number, row in enumerate(rows, start=1):
        for field in row:
            if field not in FIELDS:
                location = SourceLocation("rows.jsonl", f"line {number}", field)
                raise ImportFailed(location, f"is not a field; there are {', '.join(FIELDS)}")


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            # Line by line, so that the line in a message is the row.
            file.write(json.dumps(record, ensure_ascii=False) + "\n")

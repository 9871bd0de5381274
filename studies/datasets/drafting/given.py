"""A draft out of rows that a program hands over, without any file."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from studies.access.auditing import Actor
from studies.datasets.drafting.drafting import Draft, DraftContent, write_draft
from studies.datasets.drafting.images import check_images
from studies.datasets.drafting.rows import check_rows
from studies.datasets.importing.files.table_files import Record, Table
from studies.design.reading import read_design
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.files import SourceFile


class RowsRefused(Exception):
    """Some rows break rules; `faults` has all of it, in order."""

    def __init__(self, faults: Sequence[ImportFailed]) -> None:
        super().__init__(f"{len(faults)} faults, the first: {faults[0]}")
        self.faults = tuple(faults)


def read_given_design(fields: Mapping[str, Any]) -> tuple[Any, TaskKind | None]:
    """Return the design of these fields, on top of a preset if one is named, and the kind that the preset is for."""
    return read_design(SourceFile("design.json", json.dumps(fields).encode()))


def draft_rows(
    name: str,
    *,
    title: str,
    kind: TaskKind | None,
    design: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    references: Mapping[str, Sequence[str]],
    actor: Actor,
    now: datetime,
) -> Draft:
    """Make a draft that belongs to who acts; nothing is left where something is wrong.

    Args:
        name: Of the study and its dataset.
        title: For people; by default the name.
        kind: The kind of task; may be None if the design names a preset.
        design: The fields of a design file.
        rows: As in the table of `create_study`; without images each needs an anchor.
        references: Captions by image.
        actor, now: Who, and when.

    Raises:
        ImportFailed: The name, the kind or the design cannot be taken.
        RowsRefused: Rows cannot be taken.
    """
    chosen_design, of_preset = read_given_design(design)
    chosen = kind or of_preset
    if chosen is None:
        raise ImportFailed(SourceLocation("design.json", field="kind"), "must be said, for the design names no preset")
    columns = dict.fromkeys(column for row in rows for column in row)
    records = [Record(SourceLocation("rows", f"row {number}"), dict(row)) for number, row in enumerate(rows, start=1)]
    if not records:
        raise ImportFailed("rows", "must hold one row or more")
    checked, faults = check_rows(Table("rows", tuple(columns), records), kind=chosen)
    faults += check_images(checked, None)
    if faults:
        raise RowsRefused(faults)
    judged = DraftContent(checked, None, "rows of a program", references)
    return write_draft(
        name, kind=chosen, design=chosen_design, judged=judged, now=now, owner=actor.user, title=title, actor=actor
    )

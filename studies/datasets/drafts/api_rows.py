"""Drafts from rows sent by a program, without files."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from studies.access.audit import Actor
from studies.datasets.drafts.creation import Draft, DraftContent, write_draft
from studies.datasets.drafts.images import check_images
from studies.datasets.drafts.rows import check_rows
from studies.datasets.importing.files.table_files import Record, Table
from studies.design.design_files import read_design
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, Refusal, SourceLocation
from studies.shared.files import SourceFile


class RowsRefused(Refusal):
    """Some rows are invalid; `faults` has all errors in order."""

    def __init__(self, faults: Sequence[ImportFailed]) -> None:
        super().__init__(f"{len(faults)} errors, the first: {faults[0]}")
        self.faults = tuple(faults)


def read_given_design(fields: Mapping[str, Any]) -> tuple[Any, TaskKind | None]:
    """Return the design of these fields, based on a preset if one is named, and the kind of the preset."""
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
    """Create a draft owned by the actor; nothing is written if there is an error.

    Args:
        name: The name of the study and its dataset.
        title: The title; by default the name.
        kind: The kind of task; may be None if the design names a preset.
        design: The fields of a design file.
        rows: As in the table of `create_study`; without images each needs an anchor.
        references: Captions by image.
        actor, now: The account and the time.

    Raises:
        ImportFailed: The name, the kind or the design is invalid.
        RowsRefused: Rows are invalid.
    """
    chosen_design, of_preset = read_given_design(design)
    chosen = kind or of_preset
    if chosen is None:
        raise ImportFailed(
            SourceLocation("design.json", field="kind"), "must be given, because the design names no preset"
        )
    columns = dict.fromkeys(column for row in rows for column in row)
    records = [Record(SourceLocation("rows", f"row {number}"), dict(row)) for number, row in enumerate(rows, start=1)]
    if not records:
        raise ImportFailed("rows", "must have at least one row")
    checked, faults = check_rows(Table("rows", tuple(columns), records), kind=chosen)
    faults += check_images(checked, None)
    if faults:
        raise RowsRefused(faults)
    judged = DraftContent(checked, None, "rows of a program", references)
    return write_draft(
        name, kind=chosen, design=chosen_design, judged=judged, now=now, owner=actor.user, title=title, actor=actor
    )

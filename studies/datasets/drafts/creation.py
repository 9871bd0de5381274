"""Creates a draft: its dataset, images, captions, tasks and design, in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.datasets.drafts.images import ImageFolder, ImageSource, Watch, check_images, look_away
from studies.datasets.drafts.rows import DraftRow, read_rows
from studies.datasets.drafts.sources import read_references
from studies.datasets.drafts.storage import DraftWriter, take_pictures
from studies.datasets.importing.files.opening import open_file
from studies.datasets.importing.files.table_files import read_records
from studies.datasets.names import check_free_name
from studies.datasets.quotas import check_new_study
from studies.design.design_files import read_design
from studies.design.protocols import STARTING_PROTOCOLS
from studies.design.study_design import StudyDesign
from studies.enums import AuditAction, TaskKind
from studies.models import Dataset, Study, StudyVersion
from studies.shared.errors import ImportFailed


@dataclass(frozen=True, slots=True)
class Draft:
    """The created draft."""

    study: Study
    n_images: int
    n_tasks: int
    n_items: int

    def __str__(self) -> str:
        return f"study {self.study.name}: {self.n_images} images, {self.n_tasks} tasks, {self.n_items} items, a draft"


@dataclass(frozen=True, slots=True)
class DraftContent:
    """The checked content of a draft: rows, images, references by image, and the source."""

    rows: Sequence[DraftRow]
    images: ImageSource | None
    source: str
    references: Mapping[str, Sequence[str]] = field(default_factory=dict)


@transaction.atomic
def draft_study(
    name: str,
    *,
    kind: TaskKind | None,
    design_file: Path,
    item_file: Path,
    image_folder: Path | None,
    now: datetime,
    reference_file: Path | None = None,
    owner: Any | None = None,
    title: str = "",
    actor: Actor = COMMAND_LINE,
) -> Draft:
    """Create a draft from files; nothing is written if one of them has an error.

    Args:
        name: The name of the study and its dataset: letters, digits, hyphens and underscores.
        kind: The kind of task; may be None if the design names a preset.
        design_file: TOML or JSON, see `read_design`.
        item_file: CSV, JSON Lines or Parquet, see `read_rows`.
        image_folder: Has a file for each image, named by its key, with or without an extension. None if captions are
                judged by anchors only.
        reference_file: A table of references or COCO's file of captions, see `read_references`. None: there are none.
        owner: The user who owns it.
        title: The title; by default the name.
        actor: The account for the audit log.

    Raises:
        ImportFailed: A file cannot be read or breaks a rule; the message says where.
    """
    check_free_name(name)
    design, of_preset = read_design(open_file(design_file))
    chosen = kind or of_preset
    if chosen is None:
        raise ImportFailed("--kind", "must give the kind of task, because the design names no preset")
    rows = read_rows(read_records(open_file(item_file)), kind=chosen)
    source = ImageFolder(image_folder) if image_folder else None
    for refused in check_images(rows, source)[:1]:
        raise refused
    refusals: list[ImportFailed] = []
    references = read_references(open_file(reference_file), refused=refusals).captions if reference_file else {}
    for refused in refusals[:1]:
        raise refused
    judged = DraftContent(rows, source, source=item_file.name, references=references)
    return write_draft(name, kind=chosen, design=design, judged=judged, now=now, owner=owner, title=title, actor=actor)


def write_draft(
    name: str,
    *,
    kind: TaskKind,
    design: StudyDesign,
    judged: DraftContent,
    now: datetime,
    owner: Any | None,
    title: str,
    actor: Actor,
    watch: Watch = look_away,
    finish: Callable[[Draft], None] | None = None,
    folder: str = "",
) -> Draft:
    """Create a draft from checked content: first the files of its images, then all rows in one transaction.

    Args:
        name, kind, design, judged, now, owner, title, actor: As for `make_draft`.
        watch: Called with the number of images stored, outside the transaction.
        finish: Called with the draft in the transaction that creates it.
        folder: The subfolder of the media folder for pictures stored by a job.

    Raises:
        ImportFailed: The name is taken, a picture is damaged, or the quota is used up.
    """
    check_free_name(name)
    with (
        take_pictures(judged.rows, judged.images, name=name, watch=watch, folder=folder) as pictures,
        transaction.atomic(),
    ):
        check_free_name(name)
        check_new_study(owner, actor=actor)
        dataset = Dataset.objects.create(
            name=name, title=title or name, source=judged.source, created_at=now, n_bytes=pictures.n_bytes
        )
        study = Study.objects.create(
            dataset=dataset,
            name=name,
            title=title or name,
            kind=kind,
            protocol=STARTING_PROTOCOLS[kind],
            owner=owner,
            created_at=now,
        )
        StudyVersion.objects.create(study=study, number=1, design=design.to_json(), created_at=now, created_by=owner)
        record_change(study, actor=actor, action=AuditAction.CREATED, now=now, details={"kind": kind})
        writer = DraftWriter(study, images=pictures.images)
        writer.write(judged.rows, references=judged.references)
        draft = Draft(study, n_images=len(writer.images), n_tasks=len(writer.tasks), n_items=len(writer.items))
        if finish is not None:
            finish(draft)
    return draft

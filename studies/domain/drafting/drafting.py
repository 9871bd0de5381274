"""Writes a draft: its dataset, images, captions, tasks and design, all or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.core.files import File
from django.db import transaction

from studies.domain.auditing import COMMAND_LINE, Actor, record_change
from studies.domain.drafting.designs import read_design
from studies.domain.drafting.rows import DraftRow, read_rows
from studies.domain.importing.errors import ImportFailed
from studies.domain.importing.files import read_file
from studies.domain.importing.table_files import read_records
from studies.domain.importing.values import check_name
from studies.domain.protocols import STARTING_PROTOCOLS
from studies.enums import AuditAction, TaskKind, TaskRole
from studies.models import Candidate, CaptionSet, Dataset, Image, Item, Reference, Study, StudyVersion, System, Task

_ENDINGS: Final = ("", ".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif")


@dataclass(frozen=True, slots=True)
class Draft:
    """What was made."""

    study: Study
    n_images: int
    n_tasks: int
    n_items: int

    def __str__(self) -> str:
        return f"study {self.study.name}: {self.n_images} images, {self.n_tasks} tasks, {self.n_items} items, a draft"


@transaction.atomic
def draft_study(
    name: str,
    *,
    kind: TaskKind | None,
    design_file: Path,
    item_file: Path,
    image_folder: Path | None,
    now: datetime,
    owner: Any | None = None,
    title: str = "",
    actor: Actor = COMMAND_LINE,
) -> Draft:
    """Make a draft from files; nothing is left where something is wrong with one of them.

    Args:
        name: Of the study and its dataset; letters, digits, hyphens and underscores.
        kind: The kind of task; may be None if the design names a preset.
        design_file: TOML or JSON, see `read_design`.
        item_file: CSV, JSON Lines or Parquet, see `read_rows`.
        image_folder: Holds a file for each image, named by its key, with or without an ending. None if captions are
            judged by anchors alone.
        now: When.
        owner: The user who owns it.
        title: For people; by default the name.
        actor: Who makes it, for the audit log.

    Raises:
        ImportFailed: Something cannot be read or breaks a rule; the message says where.
    """
    check_name(name)
    if Study.objects.filter(name=name).exists() or Dataset.objects.filter(name=name).exists():
        raise ImportFailed("the name", "must be one that no study and no dataset has", got=name)
    design, of_preset = read_design(read_file(design_file))
    chosen = kind or of_preset
    if chosen is None:
        raise ImportFailed("--kind", "must say the kind of task, for the design names no preset")
    rows = read_rows(read_records(read_file(item_file)), kind=chosen)
    dataset = Dataset.objects.create(name=name, title=title or name, source=item_file.name, created_at=now)
    study = Study.objects.create(
        dataset=dataset,
        name=name,
        title=title or name,
        kind=chosen,
        protocol=STARTING_PROTOCOLS[chosen],
        owner=owner,
        created_at=now,
    )
    StudyVersion.objects.create(study=study, number=1, design=design.to_json(), created_at=now, created_by=owner)
    record_change(study, actor=actor, action=AuditAction.CREATED, now=now, details={"kind": chosen})
    writer = _Writer(study, image_folder=image_folder)
    writer.write(rows)
    return Draft(study, n_images=len(writer.images), n_tasks=len(writer.tasks), n_items=writer.n_items)


class _Writer:
    """Writes rows, making each image, system, caption set, candidate and task when it is first named."""

    def __init__(self, study: Study, *, image_folder: Path | None) -> None:
        self.study, self.folder = study, image_folder
        self.images: dict[str, Image] = {}
        self.systems: dict[str, System] = {}
        self.sets: dict[tuple[str, str], CaptionSet] = {}
        self.candidates: dict[tuple[str, str, str], Candidate] = {}
        self.anchors: dict[tuple[str, str], Reference] = {}
        self.tasks: dict[str, Task] = {}
        self.n_items = 0

    def write(self, rows: Sequence[DraftRow]) -> None:
        if self.study.kind == TaskKind.SET_RATING:
            for row in rows:
                self._take_candidate(row, system=row.system, text=row.candidate, in_set=True)
            seen = {(row.task, row.image, row.system): row for row in reversed(rows)}
            # One item for each set, where it is first named.
            rows = [row for row in rows if seen[row.task, row.image, row.system] is row]
        for row in rows:
            self._write_item(row)

    def _write_item(self, row: DraftRow) -> None:
        image = self._take_image(row)
        task = self._take_task(row)
        Item.objects.create(
            task=task,
            position=Item.objects.filter(task=task).count(),
            key=row.record.place.record[:250],
            category=row.category,
            image=image,
            anchor=self._take_anchor(row, image),
            expected=row.expected,
            feedback=row.feedback,
            **self._take_judged(row),
        )
        self.n_items += 1

    def _take_judged(self, row: DraftRow) -> dict[str, Any]:
        if self.study.kind == TaskKind.CAPTION:
            return {}
        if self.study.kind == TaskKind.SET_RATING:
            return {"caption_set": self.sets[row.image, row.system]}
        judged = {"candidate": self._take_candidate(row, system=row.system, text=row.candidate)}
        if self.study.kind == TaskKind.PAIRWISE:
            judged["other_candidate"] = self._take_candidate(row, system=row.other_system, text=row.other_candidate)
        return judged

    def _take_image(self, row: DraftRow) -> Image:
        if row.image not in self.images:
            image = Image(dataset=self.study.dataset, key=row.image)
            file = self._find_file(row)
            if file is None:
                image.save()
            else:
                with file.open("rb") as opened:
                    image.file.save(f"{self.study.name}-{file.name}", File(opened))
            self.images[row.image] = image
        return self.images[row.image]

    def _find_file(self, row: DraftRow) -> Path | None:
        if self.folder is None:
            if not row.anchor:
                place = row.record.place.at("anchor")
                raise ImportFailed(place, "must be there where no folder of images is given (--images)")
            return None
        # A key is a name, not a way through the folders.
        found = (self.folder / f"{Path(row.image).name}{ending}" for ending in _ENDINGS)
        file = next((one for one in found if one.is_file()), None)
        if file is None:
            raise ImportFailed(row.record.place.at("image"), f"must be a file in {self.folder}", got=row.image)
        return file

    def _take_system(self, name: str) -> System:
        if name not in self.systems:
            self.systems[name] = System.objects.create(dataset=self.study.dataset, name=name)
        return self.systems[name]

    def _take_candidate(self, row: DraftRow, *, system: str, text: str, in_set: bool = False) -> Candidate:
        key = (row.image, system, text)
        if key not in self.candidates:
            image, writer = self._take_image(row), self._take_system(system)
            if in_set and (row.image, system) not in self.sets:
                self.sets[row.image, system] = CaptionSet.objects.create(image=image, system=writer)
            self.candidates[key] = Candidate.objects.create(
                dataset=self.study.dataset,
                image=image,
                system=writer,
                caption_set=self.sets.get((row.image, system)) if in_set else None,
                key=f"{row.image}-{len(self.candidates) + 1}",
                text=text,
            )
        return self.candidates[key]

    def _take_anchor(self, row: DraftRow, image: Image) -> Reference | None:
        if not row.anchor:
            return None
        key = (row.image, row.anchor)
        if key not in self.anchors:
            position = sum(one == row.image for one, _ in self.anchors)
            self.anchors[key] = Reference.objects.create(image=image, position=position, text=row.anchor)
        return self.anchors[key]

    def _take_task(self, row: DraftRow) -> Task:
        if row.task not in self.tasks:
            role = TaskRole(row.role)
            self.tasks[row.task] = Task.objects.create(study=self.study, position=len(self.tasks), role=role)
        return self.tasks[row.task]

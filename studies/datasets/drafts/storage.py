"""Writes the content of a draft: images, references, systems, captions, tasks and items, in a few statements each."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Model

from studies.datasets.drafts.images import ImageSource, Watch, look_away
from studies.datasets.drafts.rows import DraftRow
from studies.datasets.image_storage import store_picture
from studies.datasets.thumbnails import delete_files
from studies.enums import TaskKind
from studies.models import Candidate, CaptionSet, Image, Item, Reference, Study, System, Task
from studies.shared.errors import SourceLocation

_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class Pictures:
    """The unsaved images named by rows, and the total size of their files."""

    images: Mapping[str, Image]
    n_bytes: int


@contextmanager
def take_pictures(
    rows: Sequence[DraftRow], source: ImageSource | None, *, name: str, watch: Watch = look_away, folder: str = ""
) -> Iterator[Pictures]:
    """Store the files of the images named by rows, upright and without metadata; delete them if the block fails.

    Call it outside the transaction that saves the images: decoding is slow, and on SQLite a writing transaction blocks
    all others.
    """
    images: dict[str, Image] = {}
    n_bytes = 0
    keys = list(dict.fromkeys(row.image for row in rows))
    try:
        for number, key in enumerate(keys):
            watch("Storing images.", number, len(keys))
            image = images[key] = Image(key=key)
            if source is not None and source.has(key):
                picture = source.read(key)
                location = SourceLocation(source.name, f"image {key}")
                file = f"{name}-{picture.name}"
                n_bytes += store_picture(image, name=file, content=picture.content, location=location, folder=folder)
        yield Pictures(images, n_bytes)
    except BaseException:
        for image in images.values():
            delete_files(image)
        raise


class DraftWriter:
    """Collects rows, creating each system, caption set, candidate and task once, and saves them."""

    def __init__(self, study: Study, *, images: Mapping[str, Image]) -> None:
        self.study, self._stored = study, images
        self.images: dict[str, Image] = {}
        self.systems: dict[str, System] = {}
        self.sets: dict[tuple[str, str], CaptionSet] = {}
        self.candidates: dict[tuple[str, str, str], Candidate] = {}
        self.references: list[Reference] = []
        self.anchors: dict[tuple[str, str], Reference] = {}
        self.tasks: dict[str, Task] = {}
        self.items: list[Item] = []
        self._n_references: Counter[str] = Counter()
        self._n_items: Counter[str] = Counter()

    def write(self, rows: Sequence[DraftRow], *, references: Mapping[str, Sequence[str]]) -> None:
        """Save checked rows and the references of their images; call it within a transaction."""
        self._take_rows(rows, references=references)
        self._save()

    def _take_rows(self, rows: Sequence[DraftRow], *, references: Mapping[str, Sequence[str]]) -> None:
        for row in rows:
            if row.image not in self.images:
                self._take_image(row.image, references=references.get(row.image, ()))
        if self.study.kind == TaskKind.SET_RATING:
            for row in rows:
                self._take_candidate(row, system=row.system, text=row.candidate, in_set=True)
            seen = {(row.task, row.image, row.system): row for row in reversed(rows)}
            # One item for each set, at its first row.
            rows = [row for row in rows if seen[row.task, row.image, row.system] is row]
        for row in rows:
            self._take_item(row)

    def _save(self) -> None:
        for rows in (self.images, self.systems, self.sets, self.candidates, self.tasks):
            _save_all(list(rows.values()))
        _save_all(self.references)
        _save_all(self.items)

    def _take_image(self, key: str, *, references: Sequence[str]) -> None:
        image = self.images[key] = self._stored[key]
        image.dataset = self.study.dataset
        for text in references:
            self._take_reference(key, text)

    def _take_item(self, row: DraftRow) -> None:
        item = Item(
            task=self._take_task(row),
            position=self._n_items[row.task],
            key=row.record.location.record[:250],
            category=row.category,
            image=self.images[row.image],
            anchor=self._take_anchor(row),
            expected=row.expected,
            feedback=row.feedback,
            **self._take_judged(row),
        )
        self._n_items[row.task] += 1
        self.items.append(item)

    def _take_judged(self, row: DraftRow) -> dict[str, Any]:
        if self.study.kind == TaskKind.CAPTION:
            return {}
        if self.study.kind == TaskKind.SET_RATING:
            return {"caption_set": self.sets[row.image, row.system]}
        judged = {"candidate": self._take_candidate(row, system=row.system, text=row.candidate)}
        if self.study.kind == TaskKind.PAIRWISE:
            judged["other_candidate"] = self._take_candidate(row, system=row.other_system, text=row.other_candidate)
        return judged

    def _take_system(self, name: str) -> System:
        if name not in self.systems:
            self.systems[name] = System(dataset=self.study.dataset, name=name)
        return self.systems[name]

    def _take_candidate(self, row: DraftRow, *, system: str, text: str, in_set: bool = False) -> Candidate:
        key = (row.image, system, text)
        if key not in self.candidates:
            image, writer = self.images[row.image], self._take_system(system)
            if in_set and (row.image, system) not in self.sets:
                self.sets[row.image, system] = CaptionSet(image=image, system=writer)
            self.candidates[key] = Candidate(
                dataset=self.study.dataset,
                image=image,
                system=writer,
                caption_set=self.sets.get((row.image, system)) if in_set else None,
                key=f"{row.image}-{len(self.candidates) + 1}",
                text=text,
            )
        return self.candidates[key]

    def _take_anchor(self, row: DraftRow) -> Reference | None:
        if not row.anchor:
            return None
        return self.anchors.get((row.image, row.anchor)) or self._take_reference(row.image, row.anchor)

    def _take_reference(self, key: str, text: str) -> Reference:
        reference = Reference(image=self.images[key], position=self._n_references[key], text=text)
        self._n_references[key] += 1
        self.references.append(reference)
        return self.anchors.setdefault((key, text), reference)

    def _take_task(self, row: DraftRow) -> Task:
        if row.task not in self.tasks:
            self.tasks[row.task] = Task(study=self.study, position=len(self.tasks), role=row.role)
        return self.tasks[row.task]


def _save_all(rows: Sequence[Model]) -> None:
    if rows:
        type(rows[0])._default_manager.bulk_create(rows, batch_size=_AT_ONCE)

"""Input rows for metrics, built from the database and identified by a digest of their content."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cached_property

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, Input, Level
from metrics_plugins.runtime.failures import quote
from studies.models import Candidate, CaptionSet, Dataset, Item, ScoringInput, System
from studies.scoring.errors import ScoringFailed
from studies.scoring.references import ReferenceSelection, Texts, leave_out, select_by_candidate, select_by_image
from studies.scoring.worlds import KnownWorlds, load_worlds
from studies.shared.own_captions import OwnCaptions, count_own_captions
from studies.storage.local_copies import FindPath

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class InputRows:
    """Rows in order of primary key: candidates at segment level, caption sets at set level.

    A candidate for which a reference set has several alternatives has a row for each of them.

    Attributes:
        dataset, level, selection: The dataset, the level of a row, and how references were chosen.
        ids: `(n_rows,)` primary keys, ascending.
        keys: `(n_rows,)` the key by which the metric identifies a row.
        captions: `(n_rows,)` the captions of each row: one candidate, or those of a set.
        references: `(n_rows,)` the references of each row.
        images: `(n_rows,)` the stored name of the image's file, "" where it has none.
        image_keys: `(n_rows,)` the key of the image in its dataset.
        systems: `(n_rows,)` primary key of each row's system.
        fit_rows: Row numbers that a metric is fitted on, one for each document that it counts.
        worlds: The worlds of the images.
    """

    dataset: Dataset
    level: Level
    selection: ReferenceSelection
    ids: Ids
    keys: tuple[str, ...]
    captions: tuple[Texts, ...]
    references: tuple[Texts, ...]
    images: tuple[str, ...]
    image_keys: tuple[str, ...]
    systems: Ids
    fit_rows: Ids
    worlds: KnownWorlds = field(default_factory=KnownWorlds)

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that scores depend on: keys, captions, references, images, worlds, and the rows fitted on."""
        digest = hashlib.sha256(f"{self.level}\n".encode())
        for row in zip(self.keys, self.captions, self.references, self.images, self.image_keys, strict=True):
            digest.update(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        digest.update(self.fit_rows.astype("<i8").tobytes())
        digest.update(self.worlds.digest)
        return digest.hexdigest()

    @cached_property
    def available_inputs(self) -> frozenset[Input]:
        """The columns that can be filled: for references, in at least one row; for all others, in every row."""
        available = {Input.CANDIDATE if self.level is Level.SEGMENT else Input.CAPTION_SET, Input.IMAGE_KEY}
        if any(self.references):
            available.add(Input.REFERENCES)
        if self.images and all(self.images):
            available.add(Input.IMAGE)
        if self.image_keys and self.worlds.has_all(self.image_keys):
            available.add(Input.WORLD)
        return frozenset(available)

    @cached_property
    def own_captions(self) -> OwnCaptions:
        """How many rows have their caption among the references of their image."""
        stored = select_by_image(self.dataset, ReferenceSelection("all"))
        by_key = {key: stored.get(pk, ()) for pk, key in self.dataset.images.values_list("pk", "key")}
        # Of a caption with several alternatives, the first.
        rows = np.unique(self.ids, return_index=True)[1].tolist()
        return count_own_captions(
            [self.captions[row] for row in rows],
            all_references=[by_key[self.image_keys[row]] for row in rows],
            seen=[self.references[row] for row in rows],
        )

    def describe_row(self, row: int) -> str:
        """Return `row 2 of 8: image 'beach', system 'fluent', caption 'a cat sleeps'`, for messages."""
        system = System.objects.filter(pk=self.systems[row]).values_list("name", flat=True).first()
        text = quote("; ".join(self.captions[row]))
        what = "caption" if self.level is Level.SEGMENT else "captions"
        return f"row {row + 1} of {len(self)}: image {self.image_keys[row]!r}, system {system!r}, {what} {text}"

    def make_batch(self, rows: Sequence[int] | Ids, *, find_image: FindPath | None = None) -> Batch:
        """Return a batch of these rows in the given order, with all available columns.

        Args:
            rows: Row numbers.
            find_image: Finds the file of an image; None for a batch without the files of images.
        """
        is_segment = self.level is Level.SEGMENT
        captions = [self.captions[row] for row in rows]
        has_images = Input.IMAGE in self.available_inputs
        has_worlds = Input.WORLD in self.available_inputs
        return Batch.make(
            [self.keys[row] for row in rows],
            candidates=[caption for (caption,) in captions] if is_segment else None,
            caption_sets=None if is_segment else captions,
            references=[self.references[row] for row in rows],
            images=[find_image(self.images[row]) for row in rows] if find_image and has_images else None,
            image_keys=[self.image_keys[row] for row in rows],
            worlds=[self.worlds.open(self.image_keys[row]) for row in rows] if has_worlds else None,
        )

    def save(self, *, now: datetime) -> ScoringInput:
        """Return the stored record of these rows, creating it if needed, and make it the newest one of the dataset."""
        # Update the time of an existing record too: if data are changed and changed back, it is the newest again.
        stored, _ = ScoringInput.objects.update_or_create(
            dataset=self.dataset,
            level=self.level.value,
            references=str(self.selection),
            digest=self.digest,
            defaults={
                "n_rows": len(self),
                "row_ids": self.ids.astype("<i8").tobytes(),
                "own_captions": asdict(self.own_captions),
                "created_at": now,
            },
        )
        return stored


def build_rows(dataset: Dataset, *, level: Level, selection: ReferenceSelection) -> InputRows:
    """Read the rows of a dataset under a reference rule.

    A metric that counts documents (CIDEr) counts the references of every judged item once, so the two captions of a
    pair are one document; an image without a judged item counts once. Where every row has its own references (a
    reference set, or the judged caption left out of its row), each row is a document. The published evaluations count
    in the same way.

    Raises:
        ScoringFailed: The rule cannot be applied to this dataset.
    """
    if level is Level.SET and selection.kind == "set":
        raise ScoringFailed(f"dataset {dataset.name}: reference sets belong to candidates, but caption sets are scored")
    found = _read_captions(dataset) if level is Level.SEGMENT else _read_caption_sets(dataset)
    if selection.kind == "set":
        found, references = _repeat_alternatives(found, select_by_candidate(dataset, selection), part=selection.part)
    else:
        by_image = select_by_image(dataset, selection)
        references = [by_image.get(row[3], ()) for row in found]
    if selection.kind == "exclude-candidate-per-row":
        references = [leave_out(row[2], references=texts) for row, texts in zip(found, references, strict=True)]
    ids = [row[0] for row in found]
    images = [row[3] for row in found]
    stored = {pk: (key, file or "") for pk, key, file in dataset.images.values_list("pk", "key", "file")}
    return InputRows(
        dataset=dataset,
        level=level,
        selection=selection,
        ids=np.asarray(ids, dtype=np.int64),
        keys=tuple(row[1] for row in found),
        captions=tuple(row[2] for row in found),
        references=tuple(references),
        images=tuple(stored[image][1] for image in images),
        image_keys=tuple(stored[image][0] for image in images),
        systems=np.asarray([row[4] for row in found], dtype=np.int64),
        fit_rows=(
            np.arange(len(ids))
            if selection.kind in ("set", "exclude-candidate-per-row")
            else _find_documents(dataset, level=level, ids=ids, images=images)
        ),
        worlds=load_worlds(dataset),
    )


_Found = tuple[int, str, Texts, int, int]


def _repeat_alternatives(
    found: Sequence[_Found], chosen: Mapping[int, Sequence[Texts]], *, part: str
) -> tuple[list[_Found], list[Texts]]:
    """Return a row for each alternative of each candidate, with its references; a part has only its own candidates."""
    rows, references = [], []
    for pk, key, *rest in found:
        for number, texts in enumerate(chosen.get(pk, () if part else ((),)), start=1):
            rows.append((pk, key if number == 1 else f"{key}#{number}", *rest))
            references.append(texts)
    return rows, references


def _read_captions(dataset: Dataset) -> list[_Found]:
    rows = Candidate.objects.filter(dataset=dataset).order_by("pk")
    fields = ("pk", "key", "text", "image_id", "system_id")
    return [(pk, key, (text,), image, system) for pk, key, text, image, system in rows.values_list(*fields)]


def _read_caption_sets(dataset: Dataset) -> list[_Found]:
    captions: dict[int, list[str]] = {}
    members = Candidate.objects.filter(dataset=dataset, caption_set__isnull=False).order_by("pk")
    for caption_set, text in members.values_list("caption_set_id", "text"):
        captions.setdefault(caption_set, []).append(text)
    rows = CaptionSet.objects.filter(image__dataset=dataset).order_by("pk")
    fields = ("pk", "image__key", "system__name", "image_id", "system_id")
    return [
        (pk, f"{image_key}:{name}", tuple(captions.get(pk, ())), image, system)
        for pk, image_key, name, image, system in rows.values_list(*fields)
    ]


def _find_documents(dataset: Dataset, *, level: Level, ids: Sequence[int], images: Sequence[int]) -> Ids:
    row_of = {row_id: row for row, row_id in enumerate(ids)}
    field = "candidate_id" if level is Level.SEGMENT else "caption_set_id"
    items = Item.objects.filter(task__study__dataset=dataset, **{f"{field}__isnull": False}).order_by()
    judged = [row_of[first] for first, _ in items.values_list(field, "other_candidate_id").distinct()]
    covered = {images[row] for row in judged}
    firsts: dict[int, int] = {}
    for row, image in enumerate(images):
        firsts.setdefault(image, row)
    judged += [row for image, row in firsts.items() if image not in covered]
    return np.asarray(sorted(judged), dtype=np.int64)

"""Writes imported data: one dataset with its closed studies, in one transaction."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from math import nan
from typing import Any, Final, TypeVar

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, connection, models, transaction

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.datasets.external_scores import store_scores
from studies.datasets.image_storage import store_picture
from studies.datasets.importing.plain_rows import insert_rows
from studies.datasets.importing.records import DatasetRecord, StudyRecord, TrackSteps, pass_on
from studies.datasets.importing.results import ImportResult, count_written
from studies.datasets.quotas import check_new_study
from studies.datasets.thumbnails import delete_files
from studies.enums import AuditAction, RaterOutcome, StudyState, TaskRole
from studies.models import (
    Candidate,
    Dataset,
    Image,
    Item,
    Judgment,
    Rater,
    Reference,
    ReferenceChoice,
    ReferenceSet,
    Study,
    StudyVersion,
    System,
    Task,
)
from studies.shared.errors import ImportFailed, SourceLocation

M = TypeVar("M", bound=models.Model)
T = TypeVar("T")

# PostgreSQL allows at most 65,535 parameters per statement; Django splits batches for SQLite.
_ROWS_PER_STATEMENT: Final = 2_000
_ITEM_FIELDS: Final = (
    "task",
    "position",
    "key",
    "category",
    "image",
    "anchor",
    "candidate",
    "other_candidate",
    "feedback",
)
_TABLES: Final = (Image, Reference, Candidate, ReferenceChoice, Task, Item, Judgment)


@dataclass(frozen=True, slots=True)
class _Written:
    """Primary keys of the rows that studies refer to; of references only if needed."""

    dataset: Dataset
    images: dict[str, int]
    candidates: dict[str, int]
    references: dict[tuple[str, int], int]


@dataclass(slots=True)
class _Images:
    """Images that are not saved yet, and the bytes of their stored files."""

    rows: list[Image]
    n_bytes: int = 0


def write_dataset(
    record: DatasetRecord,
    *,
    now: datetime,
    owner: AbstractBaseUser | None = None,
    track: TrackSteps = pass_on,
    actor: Actor = COMMAND_LINE,
) -> ImportResult:
    """Write a dataset and its studies, in one transaction.

    Raises ImportFailed if the name of the dataset or of a study is taken, or the owner's quota of studies is used up.
    """
    with _store_images(record, track=track) as images, transaction.atomic():
        written = _write_dataset(record, images, now=now, track=track)
        for study in record.studies:
            check_new_study(owner, actor=actor)
            made = _write_study(study, written, now=now, owner=owner, track=track)
            details = {"kind": study.kind, "imported": True}
            record_change(made, actor=actor, action=AuditAction.CREATED, now=now, details=details)
        _refresh_statistics()
    return count_written(record)


@contextmanager
def _store_images(record: DatasetRecord, *, track: TrackSteps) -> Iterator[_Images]:
    """Store the files of the images of known worlds; delete them if the block fails.

    Outside the transaction: encoding is slow, and on SQLite a writing transaction blocks all others.
    """
    stored = _Images([Image(key=key) for key in record.references])
    known = [image for image in stored.rows if image.key in record.worlds]
    try:
        for batch in track(_cut(known), label="pictures") if known else ():
            for image in batch:
                made = record.worlds[image.key]
                location = SourceLocation(f"image {image.key}")
                name = f"{record.name}-{image.key}.png"
                stored.n_bytes += store_picture(image, name=name, content=made.picture, location=location)
                image.world = dict(made.world)
        yield stored
    except BaseException:
        for image in known:
            delete_files(image)
        raise


def _write_dataset(record: DatasetRecord, stored: _Images, *, now: datetime, track: TrackSteps) -> _Written:
    dataset = Dataset(
        name=record.name,
        title=record.title,
        source=record.source,
        source_digest=record.digest,
        created_at=now,
        n_bytes=stored.n_bytes,
        world_profile=record.world_profile,
    )
    _claim(dataset, name=record.name)
    for image in stored.rows:
        image.dataset = dataset
    images = _create(Image, stored.rows, track=track)
    image_ids = {image.key: image.pk for image in images}
    reference_keys = [(key, position) for key, texts in record.references.items() for position in range(len(texts))]
    references = [(image_ids[key], position, record.references[key][position]) for key, position in reference_keys]
    _insert(Reference, ("image", "position", "text"), references, track=track)
    systems = [System(dataset=dataset, name=system.name, is_human=system.is_human) for system in record.systems]
    system_ids = {system.name: system.pk for system in _create(System, systems, track=track)}
    candidates = [
        (dataset.pk, image_ids[each.image], system_ids[each.system], each.key, each.text) for each in record.candidates
    ]
    _insert(Candidate, ("dataset", "image", "system", "key", "text"), candidates, track=track)
    candidate_ids = dict(Candidate.objects.filter(dataset=dataset).values_list("key", "pk"))
    written = _Written(dataset, image_ids, candidate_ids, _find_references(dataset) if _points_at(record) else {})
    _write_reference_sets(record, written, track=track)
    for each in record.scores:
        store_scores(
            dataset,
            name=each.metric,
            values={pk: each.values.get(key, nan) for key, pk in candidate_ids.items()},
            source=each.source,
            higher_is_better=each.higher_is_better,
            now=now,
        )
    return written


def _points_at(record: DatasetRecord) -> bool:
    """Return whether the record refers to single references, so that their primary keys are needed."""
    return bool(record.reference_sets) or any(
        item.anchor is not None for study in record.studies for item in study.items
    )


def _find_references(dataset: Dataset) -> dict[tuple[str, int], int]:
    found = Reference.objects.filter(image__dataset=dataset).values_list("image__key", "position", "pk")
    return {(key, position): pk for key, position, pk in found.order_by()}


def _write_reference_sets(record: DatasetRecord, written: _Written, *, track: TrackSteps) -> None:
    image_of = {candidate.key: candidate.image for candidate in record.candidates}
    for each in record.reference_sets:
        reference_set = ReferenceSet.objects.create(dataset=written.dataset, name=each.name, part=each.part)
        rows = [
            ReferenceChoice(
                reference_set_id=reference_set.pk,
                candidate_id=written.candidates[key],
                reference_id=written.references[image_of[key], chosen],
                alternative=alternative,
                position=position,
            )
            for key, alternatives in each.choices.items()
            for alternative, positions in enumerate(alternatives)
            for position, chosen in enumerate(positions)
        ]
        _create(ReferenceChoice, rows, track=track)


def _write_study(
    record: StudyRecord, written: _Written, *, now: datetime, owner: AbstractBaseUser | None, track: TrackSteps
) -> Study:
    study = Study(
        dataset=written.dataset,
        name=record.name,
        title=record.title,
        kind=record.kind,
        protocol=record.protocol,
        owner=owner,
        is_computed=record.is_computed,
        created_at=now,
    )
    _claim(study, name=record.name)
    StudyVersion.objects.create(study=study, number=1, design=record.design.to_json(), created_at=now, created_by=owner)
    raters = [
        Rater(
            study=study,
            pseudonym=name,
            is_placeholder=record.are_placeholders,
            joined_at=now,
            finished_at=now,
            outcome=RaterOutcome.FINISHED,
        )
        for name in record.raters
    ]
    rater_ids = {rater.pseudonym: rater.pk for rater in _create(Rater, raters, track=track)}
    tasks = [(study.pk, position, TaskRole.MAIN) for position in range(len(record.items))]
    _insert(Task, ("study", "position", "role"), tasks, track=track)
    _insert(Item, _ITEM_FIELDS, _list_items(record, written, _list_keys(Task.objects.filter(study=study))), track=track)
    items = _list_keys(Item.objects.filter(task__study=study), prefix="task__")
    # Close the study only now, since nothing can be added to a closed study.
    study.state, study.started_at = StudyState.CLOSED, now
    study.save(update_fields=["state", "started_at"])
    judgments = [
        (item, rater_ids[judgment.rater], judgment.value, dict(judgment.answer), now)
        for item, source in zip(items, record.items, strict=True)
        for judgment in source.judgments
    ]
    _insert(Judgment, ("item", "rater", "value", "answer", "created_at"), judgments, track=track)
    return study


def _list_items(record: StudyRecord, written: _Written, tasks: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return the values of `_ITEM_FIELDS` of each item."""
    return [
        (
            task,
            0,
            item.key,
            item.category,
            written.images[item.image],
            None if item.anchor is None else written.references[item.image, item.anchor],
            written.candidates[item.candidate],
            None if item.other_candidate is None else written.candidates[item.other_candidate],
            "",
        )
        for task, item in zip(tasks, record.items, strict=True)
    ]


def _list_keys(rows: models.QuerySet[Any], *, prefix: str = "") -> list[int]:
    """Return the primary keys of tasks, or of the items that each task has one of, by the position of the task."""
    return list(rows.order_by(f"{prefix}position").values_list("pk", flat=True))


def _refresh_statistics() -> None:
    """Update the table statistics of PostgreSQL's query planner.

    Autovacuum would do so minutes later; until then a join of the new rows can take hours instead of a second.
    """
    if connection.vendor == "postgresql":
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in _TABLES)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {tables}")


def _claim(row: Dataset | Study, *, name: str) -> None:
    """Save the row under its name, which is unique in the database."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        kind = type(row).__name__.lower()
        raise ImportFailed(f"{kind} {name}", "already exists; choose another name with --study NAME") from error


def _insert(
    model: type[models.Model], fields: Sequence[str], rows: Sequence[tuple[Any, ...]], *, track: TrackSteps
) -> None:
    for batch in track(_cut(rows), label=str(model._meta.verbose_name_plural)):
        insert_rows(model, fields, batch)


def _cut(rows: Sequence[T]) -> list[Sequence[T]]:
    return [rows[start : start + _ROWS_PER_STATEMENT] for start in range(0, len(rows), _ROWS_PER_STATEMENT)]


def _create(model: type[M], rows: Sequence[M], *, track: TrackSteps) -> list[M]:
    written: list[M] = []
    manager: Any = model._default_manager
    for batch in track(_cut(rows), label=str(model._meta.verbose_name_plural)):
        written += manager.bulk_create(batch)
    return written

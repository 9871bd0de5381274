"""Imports a bundle into the database, as a closed study with its own dataset and scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar

from django.db import models

from studies.design.study_design import StudyDesign
from studies.enums import StudyState, TaskKind, TaskRole
from studies.models import (
    Candidate,
    CaptionSet,
    Dataset,
    Exclusion,
    Image,
    Item,
    Judgment,
    Preregistration,
    Rater,
    Reference,
    ReferenceChoice,
    ReferenceSet,
    Study,
    StudyVersion,
    System,
    Task,
)
from studies.publishing.bundles.errors import BundleRefused
from studies.publishing.bundles.records import BundleFiles, blame
from studies.publishing.bundles.score_import import write_scores
from studies.shared.errors import SourceLocation
from studies.shared.schemas import read_value

M = TypeVar("M", bound=models.Model)
_ROWS_PER_STATEMENT: Final = 2_000


@dataclass
class _Written:
    """Primary keys of the rows that later rows refer to."""

    dataset: Dataset
    study: Study
    images: dict[str, int] = field(default_factory=dict)
    references: dict[tuple[str, int], int] = field(default_factory=dict)
    systems: dict[str, int] = field(default_factory=dict)
    sets: dict[tuple[str, str], int] = field(default_factory=dict)
    candidates: dict[str, int] = field(default_factory=dict)
    items: dict[tuple[int, int], int] = field(default_factory=dict)
    raters: dict[str, int] = field(default_factory=dict)


def write_study(files: BundleFiles, *, name: str, now: datetime, owner: Any | None = None) -> Study:
    """Import a bundle's study under a name; call it in a transaction.

    Raises:
        BundleRefused: The name is taken, or a record is invalid.
    """
    written = _begin(files, name=name, now=now, owner=owner)
    _write_captions(files, written)
    _write_tasks(files, written)
    # Close the study: nothing can be added to it from now on.
    written.study.state, written.study.started_at = StudyState.CLOSED, now
    written.study.save(update_fields=["state", "started_at"])
    _write_judgments(files, written, now=now)
    _write(Preregistration, files, "preregistrations.jsonl", lambda each: _build_preregistration(each, written.study))
    write_scores(files, written.dataset, candidates=written.candidates, sets=written.sets, now=now)
    return written.study


def _begin(files: BundleFiles, *, name: str, now: datetime, owner: Any | None) -> _Written:
    if Study.objects.filter(name=name).exists() or Dataset.objects.filter(name=name).exists():
        raise BundleRefused(f"a study or dataset {name!r} already exists; choose another name")
    with blame("study.json"):
        record = files.read_json("study.json")
        about = record["dataset"]
        dataset = Dataset(
            name=name,
            title=about["title"],
            source=about["source"],
            source_digest=about["source_digest"],
            world_profile=about.get("world_profile", ""),
            created_at=now,
        )
        dataset.full_clean(exclude=["source"])
        dataset.save()
        study = Study(
            dataset=dataset,
            name=name,
            title=record["title"],
            kind=TaskKind(record["kind"]),
            protocol=record["protocol"],
            owner=owner,
            is_simulated=record.get("is_simulated", False),
            is_computed=record.get("is_computed", False),
            created_at=now,
        )
        study.seed = record.get("seed", study.seed)
        study.full_clean(exclude=["owner"])
        study.save()
        systems = [
            System(
                dataset=dataset, name=each["name"], is_human=each["is_human"], captioner=each.get("captioner") or None
            )
            for each in record["systems"]
        ]
        written = _Written(dataset, study, systems={each.name: each.pk for each in _create(System, systems)})
    _write(StudyVersion, files, "versions.jsonl", lambda each: _build_version(study, each))
    return written


def _build_version(study: Study, record: Any) -> StudyVersion:
    given = record["design"]
    # The scale as a tuple; it is empty for kinds other than ratings.
    read_value(StudyDesign, {**given, "scale": tuple(given["scale"])}, SourceLocation("its design"))
    design = StudyDesign.from_json(given).to_json()
    made = datetime.fromisoformat(record["created_at"])
    return StudyVersion(study=study, number=record["number"], design=design, created_at=made)


def _build_preregistration(record: Any, study: Study) -> Preregistration:
    return Preregistration(
        study=study,
        number=record["number"],
        content=record["content"],
        digest=record["sha256"],
        frozen_at=datetime.fromisoformat(record["frozen_at"]),
    )


def _write_captions(files: BundleFiles, written: _Written) -> None:
    records = list(files.read_lines("images.jsonl", lambda each: (each["key"], each["references"], each.get("world"))))
    with blame("images.jsonl"):
        images = _create(Image, [Image(dataset=written.dataset, key=key, world=world) for key, _, world in records])
        written.images = {image.key: image.pk for image in images}
        keys = [(key, position) for key, texts, _ in records for position in range(len(texts))]
        rows = [
            Reference(image_id=image.pk, position=position, text=str(text))
            for image, (_, texts, _) in zip(images, records, strict=True)
            for position, text in enumerate(texts)
        ]
        references = _create(Reference, rows)
        written.references = {key: row.pk for key, row in zip(keys, references, strict=True)}
    captions = list(files.read_lines("candidates.jsonl", lambda each: each))
    with blame("candidates.jsonl"):
        named = dict.fromkeys(tuple(each["caption_set"]) for each in captions if "caption_set" in each)
        sets = [
            CaptionSet(image_id=written.images[image], system_id=written.systems[system]) for image, system in named
        ]
        written.sets = {key: row.pk for key, row in zip(named, _create(CaptionSet, sets), strict=True)}
    made = _write(Candidate, files, "candidates.jsonl", lambda each: _build_candidate(each, written))
    written.candidates = {each.key: each.pk for each in made}
    _write_choices(files, written)


def _build_candidate(record: Any, written: _Written) -> Candidate:
    return Candidate(
        dataset=written.dataset,
        image_id=written.images[record["image"]],
        system_id=written.systems[record["system"]],
        caption_set_id=written.sets[tuple(record["caption_set"])] if "caption_set" in record else None,
        key=record["key"],
        text=record["text"],
    )


def _write_choices(files: BundleFiles, written: _Written) -> None:
    image_of = dict(files.read_lines("candidates.jsonl", lambda each: (each["key"], each["image"])))
    sets: dict[tuple[str, str], ReferenceSet] = {}

    def build(record: Any) -> ReferenceChoice:
        name = (record["set"], record["part"])
        if name not in sets:
            sets[name] = ReferenceSet.objects.create(dataset=written.dataset, name=name[0], part=name[1])
        key = record["candidate"]
        return ReferenceChoice(
            reference_set=sets[name],
            candidate_id=written.candidates[key],
            reference_id=written.references[image_of[key], record["reference"]],
            alternative=record["alternative"],
            position=record["position"],
        )

    _write(ReferenceChoice, files, "reference_choices.jsonl", build)


def _write_tasks(files: BundleFiles, written: _Written) -> None:
    roles = dict(files.read_lines("items.jsonl", lambda each: (each["task"], TaskRole(each["role"]))))
    with blame("items.jsonl"):
        tasks = _create(Task, [Task(study=written.study, position=place, role=role) for place, role in roles.items()])
        numbers = {task.position: task.pk for task in tasks}
    items = _write(Item, files, "items.jsonl", lambda each: _build_item(each, written, numbers))
    places = files.read_lines("items.jsonl", lambda each: (each["task"], each["position"]))
    written.items = {place: item.pk for place, item in zip(places, items, strict=True)}


def _build_item(record: Any, written: _Written, tasks: dict[int, int]) -> Item:
    image, anchor = record["image"], record.get("anchor")
    candidate, other, captions = (record.get(name) for name in ("candidate", "other_candidate", "caption_set"))
    return Item(
        task_id=tasks[record["task"]],
        position=record["position"],
        key=record["key"],
        category=record.get("category", ""),
        image_id=written.images[image],
        anchor_id=None if anchor is None else written.references[image, anchor],
        candidate_id=None if candidate is None else written.candidates[candidate],
        other_candidate_id=None if other is None else written.candidates[other],
        caption_set_id=None if captions is None else written.sets[tuple(captions)],
        expected=record.get("expected"),
        feedback=record.get("feedback", ""),
    )


def _write_judgments(files: BundleFiles, written: _Written, *, now: datetime) -> None:
    def build_rater(record: Any) -> Rater:
        outcome = record["outcome"]
        return Rater(
            study=written.study,
            pseudonym=record["pseudonym"],
            is_placeholder=record["is_placeholder"],
            joined_at=now,
            outcome=outcome,
            finished_at=now if outcome else None,
        )

    written.raters = {rater.pseudonym: rater.pk for rater in _write(Rater, files, "raters.jsonl", build_rater)}
    _write(Judgment, files, "judgments.jsonl", lambda each: _build_judgment(each, written))
    _write(Exclusion, files, "exclusions.jsonl", lambda each: _build_exclusion(each, written))


def _build_judgment(record: Any, written: _Written) -> Judgment:
    surplus = record.get("surplus_since")
    return Judgment(
        item_id=written.items[record["task"], record["item"]],
        rater_id=written.raters[record["rater"]],
        value=record.get("value"),
        answer=record.get("answer", {}),
        elapsed_ms=record.get("elapsed_ms"),
        created_at=datetime.fromisoformat(record["at"]),
        surplus_since=None if surplus is None else datetime.fromisoformat(surplus),
    )


def _build_exclusion(record: Any, written: _Written) -> Exclusion:
    lifted = record["lifted_at"]
    return Exclusion(
        rater_id=written.raters[record["rater"]],
        rule=record["rule"],
        reason=record["reason"],
        decided_at=datetime.fromisoformat(record["decided_at"]),
        lifted_at=None if lifted is None else datetime.fromisoformat(lifted),
    )


def _write(model: type[M], files: BundleFiles, name: str, build: Callable[[Any], M]) -> list[M]:
    """Create the rows that are built of the lines of a file."""
    rows = list(files.read_lines(name, build))
    with blame(name):
        return _create(model, rows)


def _create(model: type[M], rows: Sequence[M]) -> list[M]:
    manager: Any = model._default_manager
    return manager.bulk_create(rows, batch_size=_ROWS_PER_STATEMENT)

"""Loads the demo into the database in one transaction, unless it is there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

import numpy as np
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from studies.access.audit import COMMAND_LINE, record_change
from studies.access.publicity import set_study_public
from studies.collection.lifecycle import open_study
from studies.datasets.image_storage import store_picture
from studies.enums import AuditAction, StudyState, TaskKind
from studies.models import Candidate, CaptionSet, Dataset, Image, Item, Reference, Study, StudyVersion, System, Task
from studies.shared.errors import Refusal, SourceLocation
from studies.simulation.demo.content import DemoImage, DemoSet
from studies.simulation.demo.designs import PUBLIC, STUDIES, DemoStudy
from studies.simulation.demo.judging import DemoItem, judge_study

DATASET = "demo"
HUMAN = "human"
_LEAST_WORDS = 8


class DemoNameTaken(Refusal):
    """A user's dataset or study has a name that the demo uses; the message says which."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    """One caption set in the database, and its source."""

    made: DemoSet
    row: CaptionSet
    candidate: Candidate


def load_demo(
    content: Sequence[DemoImage], *, owner: AbstractBaseUser, now: datetime, rng: np.random.Generator
) -> list[Study]:
    """Return the demo studies, creating them if they do not exist; the owner is set in any case.

    Simulated judgments are stored as imported ones of a closed study: there are no assignments.

    Raises:
        DemoNameTaken: A dataset or study with such a name does not belong to the demo.
    """
    names = [study.name for study in STUDIES]
    made = Study.objects.filter(dataset__name=DATASET, name__in=names)
    with transaction.atomic():
        if made.count() < len(names):
            _check_free(names)
            dataset = Dataset.objects.create(
                name=DATASET,
                title="Demo",
                source="Images, references and captions made for Accordance; the judgments are simulated.",
                created_at=now,
            )
            loaded = _load_dataset(dataset, content)
            for study in STUDIES:
                _load_study(dataset, study, loaded, now=now, rng=rng)
        made.update(owner=owner)
    return list(made.select_related("dataset").order_by("pk"))


def _check_free(names: Sequence[str]) -> None:
    datasets = Dataset.objects.filter(name=DATASET).values_list("name", flat=True)
    taken = [f"dataset {name}" for name in datasets]
    taken += [f"study {name}" for name in Study.objects.filter(name__in=names).values_list("name", flat=True)]
    if taken:
        raise DemoNameTaken(
            f"{', '.join(taken)}: not part of the demo, but with a name that the demo uses; use another database"
        )


def _load_dataset(dataset: Dataset, content: Sequence[DemoImage]) -> list[tuple[Image, list[_Loaded]]]:
    names = [made.system for made in content[0].sets]
    systems = {name: System.objects.create(dataset=dataset, name=name, is_human=name == HUMAN) for name in names}
    loaded = []
    for source in content:
        image = Image(dataset=dataset, key=source.key)
        name, location = f"demo-{source.file.name}", SourceLocation("the demo", f"image {source.key}")
        store_picture(image, name=name, content=source.file.read_bytes(), location=location)
        image.save()
        for position, text in enumerate(source.references):
            Reference.objects.create(image=image, position=position, text=text)
        loaded.append((image, [_load_set(image, systems[made.system], made) for made in source.sets]))
    return loaded


def _load_set(image: Image, system: System, made: DemoSet) -> _Loaded:
    row = CaptionSet.objects.create(image=image, system=system)
    candidates = [
        Candidate.objects.create(
            dataset_id=image.dataset_id,
            image=image,
            system=system,
            caption_set=row,
            key=f"{image.key}-{system.name}-{number}",
            text=text,
        )
        for number, text in enumerate(made.captions, start=1)
    ]
    return _Loaded(made, row, candidates[0])


def _load_study(
    dataset: Dataset,
    source: DemoStudy,
    loaded: Sequence[tuple[Image, list[_Loaded]]],
    *,
    now: datetime,
    rng: np.random.Generator,
) -> None:
    study = Study.objects.create(
        dataset=dataset,
        name=source.name,
        title=source.title,
        kind=source.kind,
        protocol=source.protocol,
        is_simulated=source.is_simulated,
        created_at=now,
    )
    StudyVersion.objects.create(study=study, number=1, design=source.design.to_json(), created_at=now)
    record_change(study, actor=COMMAND_LINE, action=AuditAction.CREATED, now=now, details={"kind": source.kind})
    judged = _load_tasks(study, loaded, shortened=not source.is_simulated)
    if source.is_simulated:
        judge_study(study, judged, design=source.design, now=now, rng=rng)
        Study.objects.filter(pk=study.pk).update(state=StudyState.CLOSED, started_at=now)
    else:
        open_study(study, now=now)
    if source.name in PUBLIC:
        set_study_public(study, True, actor=COMMAND_LINE, now=now)


def _load_tasks(study: Study, loaded: Sequence[tuple[Image, list[_Loaded]]], *, shortened: bool) -> list[DemoItem]:
    """Create the tasks of a study: one per pair, for other kinds one per image; with `shortened`, one pair per image.

    Tasks for writing captions have only the image.
    """
    judged = []
    position = 0
    for number, (image, sets) in enumerate(loaded):
        pairs = list(combinations(sets, 2))
        if study.kind == TaskKind.PAIRWISE:
            groups = [[pair] for pair in ([pairs[number % len(pairs)]] if shortened else pairs)]
        elif study.kind == TaskKind.CAPTION:
            groups = [[()]]
        else:
            groups = [[(one,) for one in sets]]
        for group in groups:
            task = Task.objects.create(study=study, position=position)
            position += 1
            judged += [
                _make_item(task, image, things, written=_list_written(sets), position=index)
                for index, things in enumerate(group)
            ]
    return judged


def _list_written(sets: Sequence[_Loaded]) -> tuple[str, ...]:
    """Return the captions written by people that are long enough for the rules of writing."""
    return tuple(
        text
        for one in sets
        if one.row.system.is_human
        for text in one.made.captions
        if len(text.split()) >= _LEAST_WORDS
    )


def _make_item(
    task: Task, image: Image, things: tuple[_Loaded, ...], *, written: tuple[str, ...], position: int
) -> DemoItem:
    if not things:
        item = Item.objects.create(task=task, position=position, key=image.key, image=image)
        return DemoItem(item, captions=written)
    names = "-".join(thing.made.system for thing in things)
    is_set = task.study.kind == TaskKind.SET_RATING
    item = Item.objects.create(
        task=task,
        position=position,
        key=f"{image.key}-{names}",
        image=image,
        candidate=None if is_set else things[0].candidate,
        other_candidate=things[1].candidate if len(things) > 1 else None,
        caption_set=things[0].row if is_set else None,
    )
    return DemoItem(item, tuple(thing.made.variety if is_set else thing.made.fit for thing in things))

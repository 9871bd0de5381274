"""Loads the demo into the database, all or nothing, once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

import numpy as np
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.files import File
from django.db import transaction

from studies.domain.demo.content import DemoImage, DemoSet
from studies.domain.demo.designs import POPULATION_SIZE, STUDIES, DemoStudy
from studies.domain.demo.simulation import SimulatedRater, make_population
from studies.domain.lifecycle import open_study
from studies.enums import RaterOutcome, StudyState, TaskKind
from studies.models import (
    Candidate,
    CaptionSet,
    Dataset,
    Image,
    Item,
    Judgment,
    Rater,
    Reference,
    Study,
    StudyVersion,
    System,
    Task,
)

DATASET = "demo"
HUMAN = "human"


class DemoNameTaken(Exception):
    """Somebody's own data have a name that the demo uses; the message says which."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """An item of the demo with what simulated raters perceive of it: one quality, or two for a pair."""

    item: Item
    qualities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Loaded:
    """One caption set in the database, beside what it was made from."""

    made: DemoSet
    row: CaptionSet
    candidate: Candidate


def load_demo(
    content: Sequence[DemoImage], *, owner: AbstractBaseUser, now: datetime, rng: np.random.Generator
) -> list[Study]:
    """Return the demo studies, made unless they are there; the owner is set in any case.

    Simulated judgments are imported ones of a closed study: raters are placeholders, and there are no assignments.

    Raises:
        DemoNameTaken: There is a dataset or study of such a name that is not the demo's.
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
        raise DemoNameTaken(f"{', '.join(taken)}: not of the demo, but with a name that it needs; use another database")


def _load_dataset(dataset: Dataset, content: Sequence[DemoImage]) -> list[tuple[Image, list[_Loaded]]]:
    names = [made.system for made in content[0].sets]
    systems = {name: System.objects.create(dataset=dataset, name=name, is_human=name == HUMAN) for name in names}
    loaded = []
    for source in content:
        image = Image(dataset=dataset, key=source.key)
        with source.file.open("rb") as file:
            image.file.save(f"demo-{source.file.name}", File(file))
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
        created_at=now,
    )
    StudyVersion.objects.create(study=study, number=1, design=source.design.to_json(), created_at=now)
    judged = _load_tasks(study, loaded, shortened=not source.is_simulated)
    if source.is_simulated:
        _judge(study, judged, scale=[point.value for point in source.design.scale], now=now, rng=rng)
        Study.objects.filter(pk=study.pk).update(state=StudyState.CLOSED, started_at=now)
    else:
        open_study(study, now=now)


def _load_tasks(study: Study, loaded: Sequence[tuple[Image, list[_Loaded]]], *, shortened: bool) -> list[_Judged]:
    """Make the tasks of a study: for pairs one each, else one for an image; `shortened` takes one pair of an image."""
    judged = []
    position = 0
    for number, (image, sets) in enumerate(loaded):
        pairs = list(combinations(sets, 2))
        if study.kind == TaskKind.PAIRWISE:
            groups = [[pair] for pair in ([pairs[number % len(pairs)]] if shortened else pairs)]
        else:
            groups = [[(one,) for one in sets]]
        for group in groups:
            task = Task.objects.create(study=study, position=position)
            position += 1
            judged += [_make_item(task, image, things, position=place) for place, things in enumerate(group)]
    return judged


def _make_item(task: Task, image: Image, things: tuple[_Loaded, ...], *, position: int) -> _Judged:
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
    return _Judged(item, tuple(thing.made.variety if is_set else thing.made.fit for thing in things))


def _judge(
    study: Study, judged: Sequence[_Judged], *, scale: Sequence[float], now: datetime, rng: np.random.Generator
) -> None:
    for number, simulated in enumerate(make_population(POPULATION_SIZE, rng=rng), start=1):
        rater = Rater.objects.create(
            study=study,
            pseudonym=f"simulated-{number}",
            is_placeholder=True,
            joined_at=now,
            finished_at=now,
            outcome=RaterOutcome.FINISHED,
        )
        Judgment.objects.bulk_create(
            Judgment(
                item=one.item,
                rater=rater,
                value=_answer(simulated, one.qualities, scale=scale, rng=rng),
                answer={"simulated": True},
                created_at=now,
            )
            for one in judged
        )


def _answer(
    rater: SimulatedRater, qualities: tuple[float, ...], *, scale: Sequence[float], rng: np.random.Generator
) -> float:
    if len(qualities) > 1:
        return rater.choose(*qualities, rng=rng)
    if scale:
        return rater.rate(*qualities, scale=scale, rng=rng)
    return round(rater.perceive(*qualities, rng=rng), 2)

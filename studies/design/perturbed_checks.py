"""Adds checks with distorted captions, which attentive raters rate below intact ones.

The method is by Graham et al., who used it with crowds that rate translations ("Is all that glitters in machine
translation quality estimation really gold?", COLING 2016); captions are distorted by
`metrics_plugins.text.distortions` at full strength.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from django.db import transaction
from django.db.models import Max, QuerySet

from metrics_plugins.api import MetricError
from metrics_plugins.text.distortions import Distortion, draw_permuted_words, draw_random_captions, draw_replaced_words
from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.design.preregistration.deviations import NOT_CONFIRMED, Confirmation, Deviation, confirm_change
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PERTURBED, AuditAction, TaskKind, TaskRole
from studies.models import Candidate, Item, Study, System, Task
from studies.shared.errors import Refusal

DISTORTIONS: Final = tuple(Distortion)


class CannotPerturb(Refusal):
    """No such checks can be added to the study; the message says why."""


@dataclass(frozen=True, slots=True)
class AddedChecks:
    """The added checks.

    Attributes:
        study: The name of the study.
        n_checks: System of distorted captions -> the number of checks that show one.
        every: The number of main tasks per check in the design; 0: checks are never shown.
    """

    study: str
    n_checks: Mapping[str, int]
    every: int


@dataclass(frozen=True, slots=True)
class _Ruined:
    intact: Candidate
    distortion: Distortion
    text: str


@transaction.atomic
def add_perturbed_checks(
    study: Study,
    *,
    number: int,
    rng: np.random.Generator,
    now: datetime,
    distortions: Sequence[Distortion] = DISTORTIONS,
    actor: Actor = COMMAND_LINE,
    confirmation: Confirmation = NOT_CONFIRMED,
) -> AddedChecks:
    """Add gold tasks to a draft, each with a distorted caption of a main item and no expected value.

    Captions are drawn without replacement, an equal number (or one more) for each distortion, and become candidates of
    the systems `perturbed-rc`, `perturbed-wp` and `perturbed-rw`. Captions that a distortion leaves unchanged (such as
    words in another order that read the same) are skipped.

    Args:
        study: A draft with ratings.
        number: The number of checks.
        rng: The only source of randomness.
        distortions: The distortions to apply.
        actor: The account for the audit log.
        confirmation: Whether to add them even if the study is preregistered, since its items then change.

    Raises:
        DeviationNotConfirmed: The study is preregistered, and this is not confirmed.
        CannotPerturb: The study has started, is of another kind, has such checks already or too few captions.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    _check_study(locked)
    deviation = Deviation("items", preregistered="without them", now=f"{number} checks with perturbed captions")
    deviating = confirm_change(locked, lambda _: [deviation], confirmation=confirmation)
    if number < 1 or not distortions or len(set(distortions)) != len(distortions):
        raise CannotPerturb(
            f"at least one check, and each distortion once, are required, got {number} and {distortions}"
        )
    main = Candidate.objects.filter(pk__in=_list_main(locked).values("candidate")).select_related("image")
    # Sort here, since the order of texts depends on the database and must not affect the draw.
    intact = sorted(main, key=lambda candidate: (candidate.image.key, candidate.key))
    found = _choose(intact, number=number, distortions=distortions, rng=rng)
    last = Task.objects.filter(study=locked).aggregate(last=Max("position"))["last"]
    for offset, ruined in enumerate(found, start=1):
        _add_check(locked, ruined, position=last + offset)
    names = [_name_system(ruined.distortion) for ruined in found]
    every = StudyDesign.from_json(load_newest_version(locked).design).checks.every
    n_checks = {name: names.count(name) for name in dict.fromkeys(names)}
    details = {"checks": n_checks, **deviating}
    record_change(locked, actor=actor, action=AuditAction.CHECKS_ADDED, now=now, details=details)
    return AddedChecks(locked.name, n_checks, every)


def _check_study(study: Study) -> None:
    if study.started_at is not None:
        raise CannotPerturb(f"study {study.name} has started, so its tasks cannot be changed")
    if study.kind != TaskKind.RATING:
        raise CannotPerturb(f"study {study.name}: checks with perturbed captions need ratings, got {study.kind}")
    n_before = Item.objects.filter(task__study=study, task__role=TaskRole.GOLD, category=PERTURBED).count()
    if n_before:
        raise CannotPerturb(f"study {study.name} has {n_before} checks with perturbed captions already")


def _list_main(study: Study) -> QuerySet[Item]:
    return Item.objects.filter(task__study=study, task__role=TaskRole.MAIN, candidate__isnull=False)


def _choose(
    intact: Sequence[Candidate], *, number: int, distortions: Sequence[Distortion], rng: np.random.Generator
) -> list[_Ruined]:
    """Return distorted captions of different candidates, with the distortions in turn."""
    try:
        texts = {distortion: _ruin(intact, distortion, rng) for distortion in distortions}
    except MetricError as refusal:
        raise CannotPerturb(f"the captions of the main tasks cannot be perturbed: {refusal}") from refusal
    waiting = [int(row) for row in rng.permutation(len(intact))]
    known = {(candidate.image_id, _normalize(candidate.text)) for candidate in intact}
    found: list[_Ruined] = []
    for turn in range(number):
        distortion = distortions[turn % len(distortions)]
        fits = (row for row in waiting if (intact[row].image_id, _normalize(texts[distortion][row])) not in known)
        row = next(fits, None)
        if row is None:
            raise CannotPerturb(
                f"only {turn} captions of the main tasks can be perturbed this way, each once, but {number} are "
                f"requested; there are {len(intact)}"
            )
        waiting.remove(row)
        found.append(_Ruined(intact[row], distortion, texts[distortion][row]))
    return found


def _ruin(intact: Sequence[Candidate], distortion: Distortion, rng: np.random.Generator) -> tuple[str, ...]:
    captions = [candidate.text for candidate in intact]
    if distortion is Distortion.WORD_PERMUTATION:
        return draw_permuted_words(captions, rng=rng).apply(1.0)
    if distortion is Distortion.RANDOM_WORDS:
        vocabulary = sorted({word for caption in captions for word in caption.split()})
        return draw_replaced_words(captions, vocabulary=vocabulary, rng=rng).apply(1.0)
    pools: dict[int, list[str]] = {}
    for candidate in intact:
        pools.setdefault(candidate.image_id, []).append(candidate.text)
    # Take one caption per image, so that no caption is replaced by another of the same image.
    images = list(pools)
    drawn = draw_random_captions([pools[image][0] for image in images], pools=list(pools.values()), rng=rng).apply(1.0)
    other = dict(zip(images, drawn, strict=True))
    return tuple(other[candidate.image_id] for candidate in intact)


def _add_check(study: Study, ruined: _Ruined, *, position: int) -> None:
    system, _ = System.objects.get_or_create(dataset=study.dataset, name=_name_system(ruined.distortion))
    candidate = Candidate.objects.create(
        dataset=study.dataset,
        image=ruined.intact.image,
        system=system,
        key=f"{study.name}-{system.name}-{position}",
        text=ruined.text,
    )
    task = Task.objects.create(study=study, position=position, role=TaskRole.GOLD)
    Item.objects.create(
        task=task, position=0, key=candidate.key, category=PERTURBED, image=candidate.image, candidate=candidate
    )


def _name_system(distortion: Distortion) -> str:
    return f"perturbed-{distortion}"


def _normalize(text: str) -> str:
    return " ".join(text.casefold().split())

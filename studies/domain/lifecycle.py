"""Opens and closes studies: a draft is designed, an open study takes judgments, a closed one takes no more."""

from collections.abc import Mapping
from datetime import datetime
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import Count, Q

from studies.domain.assigning.leasing import end_leases
from studies.domain.auditing import COMMAND_LINE, Actor, record_change
from studies.domain.design import StudyDesign
from studies.domain.quality import PERTURBED
from studies.enums import AuditAction, PanelKind, RaterOutcome, StudyState, TaskKind, TaskRole
from studies.models import Item, Place, Study, StudyVersion, Task
from studies.models.study import make_seed

_JUDGED: Final[Mapping[str, tuple[str, Q]]] = dict.fromkeys(
    TaskKind, ("single caption in every item", Q(candidate__isnull=False, other_candidate__isnull=True))
) | {
    TaskKind.PAIRWISE: ("two captions in every item", Q(candidate__isnull=False, other_candidate__isnull=False)),
    TaskKind.SET_RATING: ("caption set with captions in every item", Q(caption_set__candidates__isnull=False)),
    TaskKind.CAPTION: (
        "image with a file, and no caption, in every item",
        Q(candidate__isnull=True, caption_set__isnull=True) & ~Q(image__file=""),
    ),
}
"""What an item of each kind of study must hold, in words and as a condition."""

_BY_CODE: Final = (PanelKind.PROLIFIC, PanelKind.GENERIC)
_GRADED: Final = (TaskRole.QUALIFICATION, TaskRole.GOLD, TaskRole.ATTENTION)


class CannotChangeState(Exception):
    """The study is in another state, or not designed far enough; the message says what is missing."""


@transaction.atomic
def open_study(study: Study, *, now: datetime, actor: Actor = COMMAND_LINE) -> None:
    """Let raters judge. Makes the places that the design plans; from the first time on, items cannot change.

    Raises:
        CannotChangeState: The study is open already, or raters would find nothing to do or to agree to.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.state == StudyState.OPEN:
        raise CannotChangeState(f"study {study.name} is open already")
    if locked.rehearsal_of_id:
        raise CannotChangeState(f"study {study.name} holds simulated judgments, with which nobody's must mix")
    design = _load_design(locked)
    missing = list_missing(locked, design)
    if missing:
        raise CannotChangeState(f"study {study.name} cannot be opened, it has no {', no '.join(missing)}")
    if locked.state == StudyState.CLOSED:
        # A bundle may have told the one that it had.
        study.seed = locked.seed = make_seed()
        study.save(update_fields=["seed"])
    _make_places(locked, number=design.raters_per_task)
    _save_state(study, StudyState.OPEN, started_at=locked.started_at or now)
    record_change(study, actor=actor, action=AuditAction.OPENED, now=now, details={"was": locked.state})


@transaction.atomic
def close_study(study: Study, *, now: datetime, actor: Actor = COMMAND_LINE) -> None:
    """Take no more judgments, and end all leases: what raters hold at this moment is refused when they submit it.

    Raises:
        CannotChangeState: The study is not open.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.state != StudyState.OPEN:
        raise CannotChangeState(f"study {study.name} is not open but {locked.get_state_display().lower()}")
    _save_state(study, StudyState.CLOSED, started_at=locked.started_at)
    end_leases(study)
    record_change(study, actor=actor, action=AuditAction.CLOSED, now=now)


def list_missing(study: Study, design: StudyDesign) -> list[str]:
    """Return what a study of this design lacks to be opened, in words; nothing if it can be."""
    words, condition = _JUDGED[study.kind]
    needed = {
        words: not Item.objects.filter(task__study=study).exclude(condition).exists(),
        "task": Task.objects.filter(study=study, role=TaskRole.MAIN).exists(),
        "item in every task": not Task.objects.filter(study=study, items=None).exists(),
        "question": design.question,
        "consent text": design.consent,
        "scale of two points or more": study.kind != TaskKind.RATING or design.slider or len(design.scale) > 1,
        "three captions or more of one image in every task": _can_compare(study),
        # Without it nobody could show the panel that the work is done, and so be paid.
        "completion code for who has finished": design.panel.kind not in _BY_CODE
        or bool(design.panel.codes.get(RaterOutcome.FINISHED)),
        # Whoever is known by an id is kept for a time that was chosen, and told of it with the consent.
        "number of days until identities are forgotten (retention_days)": design.panel.kind == PanelKind.LINK
        or design.retention_days > 0,
        **_list_stages(study, design),
    }
    return [name for name, is_there in needed.items() if not is_there]


def _list_stages(study: Study, design: StudyDesign) -> dict[str, bool]:
    """Return what the stages beside the main one need, and whether it is there."""
    roles = set(Task.objects.filter(study=study).order_by().values_list("role", flat=True).distinct())
    # A ruined caption has no right answer, only a worse one than intact captions get.
    graded = Item.objects.filter(task__study=study, task__role__in=_GRADED).exclude(
        task__role=TaskRole.GOLD, category=PERTURBED
    )
    return {
        "qualification task": design.qualification is None or TaskRole.QUALIFICATION in roles,
        "two attempts or more at the qualification": design.qualification is None or design.qualification.attempts > 1,
        "gold or attention task": not design.checks.every or bool(roles & {TaskRole.GOLD, TaskRole.ATTENTION}),
        "expected values in every item of qualification and checks": all(
            graded.values_list("expected", flat=True).iterator()
        ),
    }


def _can_compare(study: Study) -> bool:
    if study.kind != TaskKind.BEST_WORST:
        return True
    sizes = Task.objects.filter(study=study).annotate(
        n_items=Count("items"), n_images=Count("items__image", distinct=True)
    )
    return not sizes.filter(Q(n_items__lt=3) | Q(n_images__gt=1)).exists()


def _load_design(study: Study) -> StudyDesign:
    newest = StudyVersion.objects.filter(study=study).order_by("-number").first()
    return StudyDesign.from_json(newest.design) if newest else StudyDesign()


def _make_places(study: Study, *, number: int) -> None:
    turns = Random(f"{study.seed}/turns")  # noqa: S311 - the seed is the secret
    tasks = Task.objects.filter(study=study, role=TaskRole.MAIN).order_by("position").values_list("pk", flat=True)
    places = [
        Place(study=study, task_id=task, number=place, turn=turns.getrandbits(31))
        for task in tasks
        for place in range(1, number + 1)
    ]
    # Those of an earlier opening stay as they are.
    Place.objects.bulk_create(places, batch_size=2000, ignore_conflicts=True)


def _save_state(study: Study, state: StudyState, *, started_at: datetime | None) -> None:
    study.state, study.started_at = state, started_at
    study.save(update_fields=["state", "started_at"])

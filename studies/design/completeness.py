"""Lists what a study needs before it can be opened."""

from collections.abc import Mapping
from typing import Final

from django.db.models import Count, Q

from studies.design.study_design import StudyDesign
from studies.enums import PERTURBED, PanelKind, RaterOutcome, TaskKind, TaskRole
from studies.models import Item, Study, Task

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
"""The requirement for items of each kind of study, in words and as a condition."""

_BY_CODE: Final = (PanelKind.PROLIFIC, PanelKind.GENERIC)

_GRADED: Final = (TaskRole.QUALIFICATION, TaskRole.GOLD, TaskRole.ATTENTION)


def list_missing(study: Study, design: StudyDesign) -> list[str]:
    """Return what a study with this design needs before it can be opened, in words; empty if it can be opened."""
    words, condition = _JUDGED[study.kind]
    needed = {
        words: not Item.objects.filter(task__study=study).exclude(condition).exists(),
        "task": Task.objects.filter(study=study, role=TaskRole.MAIN).exists(),
        "item in every task": not Task.objects.filter(study=study, items=None).exists(),
        "question": design.question,
        "consent text": design.consent,
        "scale of two points or more": study.kind != TaskKind.RATING or design.slider or len(design.scale) > 1,
        "three captions or more of one image in every task": _can_compare(study),
        # Without it, raters could not prove to the panel that the work is done, and would not be paid.
        "completion code for raters who finished": design.panel.kind not in _BY_CODE
        or bool(design.panel.codes.get(RaterOutcome.FINISHED)),
        # Identities are stored for a chosen time, which the consent states.
        "number of days until identities are erased (retention_days)": design.panel.kind == PanelKind.LINK
        or design.retention_days > 0,
        **_list_stages(study, design),
    }
    return [name for name, is_there in needed.items() if not is_there]


def _list_stages(study: Study, design: StudyDesign) -> dict[str, bool]:
    """Return the requirements of the stages besides the main one, and whether each is met."""
    roles = set(Task.objects.filter(study=study).order_by().values_list("role", flat=True).distinct())
    # A distorted caption has no expected value; it is only worse than intact captions.
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

"""Lists what a study needs before it can be opened."""

from collections.abc import Mapping
from dataclasses import dataclass
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


ITEMS: Final = "items"
"""The place of what is missing in the uploaded files rather than in the design."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that a study lacks.

    Attributes:
        words: What it is.
        place: The path of the field in the design, such as `panel.codes`, or `items`.
    """

    words: str
    place: str


def list_needed(kind: str, panel: str) -> frozenset[str]:
    """Return the paths of the fields that a design of this kind and panel needs before the study can be opened.

    Those of an answer format that is not chosen are among them: they are not shown then.
    """
    slider = (f"slider.{name}" for name in ("low_label", "high_label", "low", "high", "step"))
    of_kind = ("scale", *slider) if kind == TaskKind.RATING else ()
    of_panel = () if panel == PanelKind.LINK else ("retention_days",)
    of_codes = (f"panel.codes.{RaterOutcome.FINISHED}",) if panel in _BY_CODE else ()
    return frozenset(("question", "consent", *of_kind, *of_panel, *of_codes))


def list_missing(study: Study, design: StudyDesign) -> list[str]:
    """Return what a study with this design needs before it can be opened, in words; empty if it can be opened."""
    return [each.words for each in find_missing(study, design)]


def find_missing(study: Study, design: StudyDesign) -> list[Missing]:
    """Return what a study with this design needs before it can be opened, and where it belongs."""
    words, condition = _JUDGED[study.kind]
    needed = (
        (words, ITEMS, not Item.objects.filter(task__study=study).exclude(condition).exists()),
        ("task", ITEMS, Task.objects.filter(study=study, role=TaskRole.MAIN).exists()),
        ("item in every task", ITEMS, not Task.objects.filter(study=study, items=None).exists()),
        ("question", "question", bool(design.question)),
        ("consent text", "consent", bool(design.consent)),
        (
            "scale of two points or more",
            "scale",
            study.kind != TaskKind.RATING or bool(design.slider) or len(design.scale) > 1,
        ),
        ("three captions or more of one image in every task", ITEMS, _can_compare(study)),
        # Without it, raters could not prove to the panel that the work is done, and would not be paid.
        (
            "completion code for raters who finished",
            f"panel.codes.{RaterOutcome.FINISHED}",
            design.panel.kind not in _BY_CODE or bool(design.panel.codes.get(RaterOutcome.FINISHED)),
        ),
        # Identities are stored for a chosen time, which the consent states.
        (
            "number of days until identities are erased (retention_days)",
            "retention_days",
            design.panel.kind == PanelKind.LINK or design.retention_days > 0,
        ),
        *_list_stages(study, design),
    )
    return [Missing(name, place) for name, place, is_there in needed if not is_there]


def _list_stages(study: Study, design: StudyDesign) -> tuple[tuple[str, str, bool], ...]:
    """Return the requirements of the stages besides the main one, their places, and whether each is met."""
    roles = set(Task.objects.filter(study=study).order_by().values_list("role", flat=True).distinct())
    # A distorted caption has no expected value; it is only worse than intact captions.
    graded = Item.objects.filter(task__study=study, task__role__in=_GRADED).exclude(
        task__role=TaskRole.GOLD, category=PERTURBED
    )
    return (
        (
            "qualification task",
            "qualification",
            design.qualification is None or TaskRole.QUALIFICATION in roles,
        ),
        (
            "two attempts or more at the qualification",
            "qualification.attempts",
            design.qualification is None or design.qualification.attempts > 1,
        ),
        (
            "gold or attention task",
            "checks.every",
            not design.checks.every or bool(roles & {TaskRole.GOLD, TaskRole.ATTENTION}),
        ),
        (
            "expected values in every item of qualification and checks",
            ITEMS,
            all(graded.values_list("expected", flat=True).iterator()),
        ),
    )


def _can_compare(study: Study) -> bool:
    if study.kind != TaskKind.BEST_WORST:
        return True
    sizes = Task.objects.filter(study=study).annotate(
        n_items=Count("items"), n_images=Count("items__image", distinct=True)
    )
    return not sizes.filter(Q(n_items__lt=3) | Q(n_images__gt=1)).exists()

"""The studies of the demo: a closed one of each kind for simulated raters, and an open one for visitors."""

from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext_noop as _

from studies.design.presets import PRESETS
from studies.design.protocols import STARTING_PROTOCOLS
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind

POPULATION_SIZE: Final = 9
PUBLIC: Final = frozenset({"demo-rating", "demo-pairwise-open"})
"""What visitors without an account see: a finished study to look around in, and the shortest one to take part in."""
OPEN_SLOTS: Final = 20
CONSENT: Final = _(
    "This is a demonstration of Accordance. Your answers are stored under a pseudonym in the database of this "
    "installation, and nowhere else. You may stop at any time."
)
THANKS: Final = _("The researcher's page of this study shows your judgments now.")


@dataclass(frozen=True, slots=True)
class DemoStudy:
    """One study of the demo; with `is_simulated` it is judged by simulated raters and closed."""

    name: str
    title: str
    kind: TaskKind
    protocol: str
    design: StudyDesign
    is_simulated: bool


def _make_both(kind: TaskKind, name: str, title: str, *, protocol: str, design: StudyDesign) -> tuple[DemoStudy, ...]:
    """Return both studies under one title, so that lists show them beside each other."""
    simulated = replace(design, raters_per_task=POPULATION_SIZE)
    opened = replace(design, raters_per_task=OPEN_SLOTS, consent=CONSENT, thanks=THANKS)
    return (
        DemoStudy(name, f"{title} (simulated)", kind, protocol, simulated, is_simulated=True),
        DemoStudy(f"{name}-open", f"{title} (open)", kind, protocol, opened, is_simulated=False),
    )


def _make_preset(preset: str, name: str, title: str) -> tuple[DemoStudy, ...]:
    chosen = PRESETS[preset]
    return _make_both(chosen.kind, name, title, protocol=STARTING_PROTOCOLS[chosen.kind], design=chosen.design)


STUDIES: Final = (
    *_make_both(
        TaskKind.RATING,
        "demo-rating",
        "Ratings",
        protocol=STARTING_PROTOCOLS[TaskKind.RATING],
        design=StudyDesign(
            instructions="\n\n".join(
                (_("Look at the image and rate each caption by itself."), _("Spelling and style do not matter."))
            ),
            question=_("How well does the caption describe the image?"),
            scale=(
                ScalePoint(1, _("It is unrelated to the image")),
                ScalePoint(2, _("It mentions a minor thing in the image")),
                ScalePoint(3, _("It describes the image with small mistakes")),
                ScalePoint(4, _("It describes the image well")),
            ),
        ),
    ),
    *_make_both(
        TaskKind.PAIRWISE,
        "demo-pairwise",
        "Pairs",
        protocol=STARTING_PROTOCOLS[TaskKind.PAIRWISE],
        design=StudyDesign(
            instructions=_("Look at the image and choose the caption that describes it better."),
            question=_("Which caption describes the image better?"),
            task_seconds=10,
        ),
    ),
    *_make_both(
        TaskKind.SET_RATING,
        "demo-sets",
        "Sets of captions",
        protocol=STARTING_PROTOCOLS[TaskKind.SET_RATING],
        design=StudyDesign(
            instructions=_(
                "Each set of captions was written for the same image. Rate how varied each set is: do its captions "
                "say different things about the image, in different words?"
            ),
            question=_("How varied are these captions?"),
        ),
    ),
    *_make_preset("slider-quality", "demo-slider", "Slider"),
    *_make_preset("coco-m2", "demo-turing", "Person or machine"),
    *_make_preset("best-worst", "demo-best-worst", "Best and worst"),
    *_make_preset("caption-coco", "demo-captions", "Written captions"),
)

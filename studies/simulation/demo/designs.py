"""The studies of the demo: a closed one of each kind for simulated raters, and an open one for visitors."""

from dataclasses import dataclass, replace
from typing import Final

from studies.design.presets import PRESETS
from studies.design.protocols import STARTING_PROTOCOLS
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind

POPULATION_SIZE: Final = 9
OPEN_SLOTS: Final = 20
CONSENT: Final = (
    "This is a demonstration of Accordance. Your answers are stored under a pseudonym in the database of this "
    "installation, and nowhere else. You may stop at any time."
)
THANKS: Final = "The researcher's page of this study shows your judgments now."


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
    simulated = replace(design, raters_per_task=POPULATION_SIZE)
    opened = replace(design, raters_per_task=OPEN_SLOTS, consent=CONSENT, thanks=THANKS)
    return (
        DemoStudy(name, f"{title} (simulated raters)", kind, protocol, simulated, is_simulated=True),
        DemoStudy(f"{name}-open", f"{title} (open to everybody)", kind, protocol, opened, is_simulated=False),
    )


def _make_preset(preset: str, name: str, title: str) -> tuple[DemoStudy, ...]:
    chosen = PRESETS[preset]
    return _make_both(chosen.kind, name, title, protocol=STARTING_PROTOCOLS[chosen.kind], design=chosen.design)


STUDIES: Final = (
    *_make_both(
        TaskKind.RATING,
        "demo-rating",
        "Demo: how well captions fit",
        protocol=STARTING_PROTOCOLS[TaskKind.RATING],
        design=StudyDesign(
            instructions="Look at the image and rate each caption by itself.\n\nSpelling and style do not matter.",
            question="How well does the caption describe the image?",
            scale=(
                ScalePoint(1, "It is unrelated to the image"),
                ScalePoint(2, "It mentions a minor thing in the image"),
                ScalePoint(3, "It describes the image with small mistakes"),
                ScalePoint(4, "It describes the image well"),
            ),
        ),
    ),
    *_make_both(
        TaskKind.PAIRWISE,
        "demo-pairwise",
        "Demo: which caption is better",
        protocol=STARTING_PROTOCOLS[TaskKind.PAIRWISE],
        design=StudyDesign(
            instructions="Look at the image and choose the caption that describes it better.",
            question="Which caption describes the image better?",
        ),
    ),
    *_make_both(
        TaskKind.SET_RATING,
        "demo-sets",
        "Demo: how varied sets of captions are",
        protocol=STARTING_PROTOCOLS[TaskKind.SET_RATING],
        design=StudyDesign(
            instructions=(
                "Each set of captions was written for the same image. Rate how varied each set is: do its captions "
                "say different things about the image, in different words?"
            ),
            question="How varied are these captions?",
        ),
    ),
    *_make_preset("slider-quality", "demo-slider", "Demo: how well captions fit, on a slider"),
    *_make_preset("coco-m2", "demo-turing", "Demo: person or machine"),
    *_make_preset("best-worst", "demo-best-worst", "Demo: best and worst of four captions"),
    *_make_preset("caption-coco", "demo-captions", "Demo: write a caption"),
)

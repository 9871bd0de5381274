"""Lists what a study can be opened without, but is better with."""

from dataclasses import dataclass, fields
from typing import Final

from correlation.defaults import FEWEST_UNITS
from studies.design.completeness import ITEMS
from studies.design.presets import ORDINAL_RATERS, RATERS
from studies.design.study_design import StudyDesign
from studies.enums import PanelKind, TaskKind, TaskRole, WorkState
from studies.models import Item, Preregistration, Reference, Simulation, Study

SIMULATION: Final = "simulation"
PREREGISTRATION: Final = "preregistration"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Something that is better done before raters come.

    Attributes:
        words: What to do, as a request.
        why: What is lost without it, as a sentence.
        place: The path of the field in the design, `items`, `simulation` or `preregistration`.
    """

    words: str
    why: str
    place: str


def list_recommended(study: Study, design: StudyDesign) -> tuple[Recommendation, ...]:
    """Return what is recommended and not done yet."""
    advice = (*_advise_on_texts(design), *_advise_on_raters(study, design), *_advise_on_analysis(study, design))
    return tuple(each for each, is_done in advice if not is_done)


def _advise_on_texts(design: StudyDesign) -> tuple[tuple[Recommendation, bool], ...]:
    return (
        (
            Recommendation(
                "Write instructions", "Without them, each rater judges by a standard of their own.", "instructions"
            ),
            bool(design.instructions),
        ),
        (
            Recommendation(
                "Tell raters who runs the study and what is stored",
                "Ethics boards and data protection law usually require it.",
                "information",
            ),
            bool(design.information),
        ),
    )


def _advise_on_raters(study: Study, design: StudyDesign) -> tuple[tuple[Recommendation, bool], ...]:
    least = ORDINAL_RATERS if study.kind == TaskKind.RATING and len(design.scale) > 2 else RATERS
    is_paid = design.panel.kind in (PanelKind.PROLIFIC, PanelKind.AMT, PanelKind.GENERIC)
    return (
        (
            Recommendation(
                "Say who can take part",
                "Papers must report it, and it can be preregistered only before the first judgment.",
                "eligibility",
            ),
            bool(design.eligibility),
        ),
        (
            Recommendation(
                f"Plan {least} raters per task or more",
                "With fewer, agreement and the human ceiling are missing or imprecise.",
                "raters_per_task",
            ),
            design.raters_per_task >= least,
        ),
        (
            Recommendation(
                "Enter the expected time per task",
                "Raters see how long the study takes, and the cost can be estimated.",
                "task_seconds",
            ),
            design.task_seconds > 0,
        ),
        (
            Recommendation("Set a reward", "Raters of a panel are paid.", "pay.reward"),
            not is_paid or design.pay.reward > 0,
        ),
        (
            Recommendation(
                "Add gold or attention tasks",
                "They show which raters of a panel do not read; they are rows with that role in the uploaded table.",
                "checks.every",
            ),
            not is_paid or design.checks.every > 0,
        ),
    )


def _advise_on_analysis(study: Study, design: StudyDesign) -> tuple[tuple[Recommendation, bool], ...]:
    n_images = (
        Item.objects.filter(task__study=study, task__role=TaskRole.MAIN).order_by().values("image").distinct().count()
    )
    rules = design.exclusion_rules
    return (
        (
            Recommendation(
                f"Upload {FEWEST_UNITS} images or more",
                "With fewer, differences between metrics are not tested.",
                ITEMS,
            ),
            n_images >= FEWEST_UNITS,
        ),
        (
            Recommendation("Upload references", "Most metrics compare captions with references.", ITEMS),
            study.kind == TaskKind.CAPTION or Reference.objects.filter(image__dataset=study.dataset_id).exists(),
        ),
        (
            Recommendation(
                "Declare exclusion criteria",
                "Criteria that are chosen after the judgments are seen can be chosen for their result.",
                "exclusion_rules.failed_checks",
            ),
            any(getattr(rules, each.name) is not None for each in fields(rules)),
        ),
        (
            Recommendation(
                "Preregister the design and the analysis plan",
                "Afterwards nobody can doubt that the analysis was chosen before the judgments were seen.",
                PREREGISTRATION,
            ),
            Preregistration.objects.filter(study=study).exists(),
        ),
        (
            Recommendation(
                "Simulate raters",
                "This tries all pages, the pay and the analysis before the first person comes.",
                SIMULATION,
            ),
            Simulation.objects.filter(study=study, state=WorkState.DONE).exists(),
        ),
    )

"""The design and the size of a study."""

from dataclasses import dataclass

from studies.design.study_design import StudyDesign
from studies.enums import TaskRole
from studies.models import Item, Study, StudyVersion, Task


@dataclass(frozen=True, slots=True)
class StudyFacts:
    """The newest design of a study and its number of main items; version 0 and an empty design if there is none."""

    version: int
    design: StudyDesign
    n_tasks: int
    n_items: int


def load_facts(study: Study) -> StudyFacts:
    newest = StudyVersion.objects.filter(study=study).order_by("-number").first()
    return StudyFacts(
        version=newest.number if newest else 0,
        design=StudyDesign.from_json(newest.design) if newest else StudyDesign(),
        n_tasks=Task.objects.filter(study=study, role=TaskRole.MAIN).count(),
        n_items=Item.objects.filter(task__study=study, task__role=TaskRole.MAIN).count(),
    )


def count_planned(study: Study) -> int:
    """Return the number of judgments planned by the newest design: items of main tasks times raters per task."""
    facts = load_facts(study)
    return facts.n_items * facts.design.raters_per_task

"""What a study is: its design and its size."""

from dataclasses import dataclass

from studies.design.design import StudyDesign
from studies.enums import TaskRole
from studies.models import Item, Study, StudyVersion, Task


@dataclass(frozen=True, slots=True)
class StudyFacts:
    """The newest design of a study and its main tasks; no version (0) and an empty design before the first."""

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
    """Return how many judgments the newest design plans: each item of the main tasks by so many raters."""
    facts = load_facts(study)
    return facts.n_items * facts.design.raters_per_task

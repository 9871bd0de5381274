"""The history of the design of a study."""

from dataclasses import dataclass

from studies.design.changes import Change, compare_designs
from studies.design.study_design import StudyDesign
from studies.models import Study, StudyVersion


@dataclass(frozen=True, slots=True)
class DesignStep:
    """One version, and its changes since the one before; empty for the first."""

    version: StudyVersion
    changes: tuple[Change, ...]


def list_design_steps(study: Study) -> list[DesignStep]:
    """Return the versions of a study's design, newest first."""
    versions = list(StudyVersion.objects.filter(study=study).select_related("created_by").order_by("number"))
    designs = [StudyDesign.from_json(version.design) for version in versions]
    steps = [
        DesignStep(version, compare_designs(designs[max(0, index - 1)], designs[index]))
        for index, version in enumerate(versions)
    ]
    return steps[::-1]

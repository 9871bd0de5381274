"""The data model, one file a subject. What must hold is a constraint here, not a check elsewhere."""

from studies.models.dataset import (
    Candidate,
    CaptionSet,
    Dataset,
    Image,
    Reference,
    ReferenceChoice,
    ReferenceSet,
    System,
)
from studies.models.judgment import Assignment, Judgment
from studies.models.rater import Consent, Identity, Rater
from studies.models.run import Run, ScoreChunk, ScoringInput
from studies.models.study import Study, StudyMember, StudyVersion
from studies.models.task import Item, Place, Task

__all__ = [
    "Assignment",
    "Candidate",
    "CaptionSet",
    "Consent",
    "Dataset",
    "Identity",
    "Image",
    "Item",
    "Judgment",
    "Place",
    "Rater",
    "Reference",
    "ReferenceChoice",
    "ReferenceSet",
    "Run",
    "ScoreChunk",
    "ScoringInput",
    "Study",
    "StudyMember",
    "StudyVersion",
    "System",
    "Task",
]

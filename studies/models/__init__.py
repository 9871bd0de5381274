"""The data model, one file per subject; invariants are database constraints."""

from studies.models.access import ApiToken, AuditEntry, StudyOffer
from studies.models.conduct import Exclusion, QualificationAttempt, RaterEvent, Withdrawal
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
from studies.models.judgment import Assignment, Judgment, JudgmentRevision
from studies.models.limit import AddressLease, Tally
from studies.models.panel import Invitation, Payment, Submission
from studies.models.preregistration import Preregistration, StoppingLook
from studies.models.rater import Consent, Identity, Rater
from studies.models.report import FrozenReport, ReportLink
from studies.models.request import ConformanceReport, RequestedMetric, ScoringRequest, StudyMetric
from studies.models.run import Run, ScoreChunk, ScoringInput
from studies.models.simulation import Simulation
from studies.models.study import Study, StudyMember, StudyVersion
from studies.models.task import Item, Slot, Task

__all__ = [
    "AddressLease",
    "ApiToken",
    "Assignment",
    "AuditEntry",
    "Candidate",
    "CaptionSet",
    "ConformanceReport",
    "Consent",
    "Dataset",
    "Exclusion",
    "FrozenReport",
    "Identity",
    "Image",
    "Invitation",
    "Item",
    "Judgment",
    "JudgmentRevision",
    "Payment",
    "Preregistration",
    "QualificationAttempt",
    "Rater",
    "RaterEvent",
    "Reference",
    "ReferenceChoice",
    "ReferenceSet",
    "ReportLink",
    "RequestedMetric",
    "Run",
    "ScoreChunk",
    "ScoringInput",
    "ScoringRequest",
    "Simulation",
    "Slot",
    "StoppingLook",
    "Study",
    "StudyMember",
    "StudyMetric",
    "StudyOffer",
    "StudyVersion",
    "Submission",
    "System",
    "Tally",
    "Task",
    "Withdrawal",
]

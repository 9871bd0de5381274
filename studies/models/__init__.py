"""The data model, one file per subject; invariants are database constraints."""

from studies.models.access import ApiToken, AuditEntry, StudyOffer
from studies.models.collaboration import AccountWebhook, Comment, NotificationSettings
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
from studies.models.people.conduct import Exclusion, QualificationAttempt, RaterEvent, Withdrawal
from studies.models.people.panel import Invitation, Payment, Submission
from studies.models.people.rater import Consent, Identity, Rater
from studies.models.preregistration import Preregistration, StoppingLook
from studies.models.report import FrozenReport, ReportLink
from studies.models.scoring.request import ConformanceReport, RequestedMetric, ScoringRequest, StudyMetric
from studies.models.scoring.run import Run, ScoreChunk, ScoringInput
from studies.models.simulation import Simulation
from studies.models.study import DesignDraft, Study, StudyMember, StudyVersion
from studies.models.task import Item, Slot, Task

__all__ = [
    "AccountWebhook",
    "AddressLease",
    "ApiToken",
    "Assignment",
    "AuditEntry",
    "Candidate",
    "CaptionSet",
    "Comment",
    "ConformanceReport",
    "Consent",
    "Dataset",
    "DesignDraft",
    "Exclusion",
    "FrozenReport",
    "Identity",
    "Image",
    "Invitation",
    "Item",
    "Judgment",
    "JudgmentRevision",
    "NotificationSettings",
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

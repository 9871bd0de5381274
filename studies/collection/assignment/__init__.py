"""Assignment of tasks and submission of answers, correct under any concurrency of server processes.

Invariants are enforced by constraints: a slot has one live assignment; a rater gets a task once and judges an item
once. Locks, where the database has them, only avoid attempts that would fail.
"""

from studies.collection.assignment.correction import correct_answers, find_correctable
from studies.collection.assignment.grading import GradedItem, grade_training
from studies.collection.assignment.leases import (
    Lease,
    begin_session,
    expire_leases,
    find_first_minutes,
    lease_task,
    leave_study,
    return_task,
    take_lease,
)
from studies.collection.assignment.network_limits import TooManyNewcomers
from studies.collection.assignment.slots import check_slots, repair_slots
from studies.collection.assignment.stages import Stage, StageName, count_planned, find_stage
from studies.collection.assignment.submission import submit_answers
from studies.collection.assignment.values import (
    Acknowledgment,
    Answer,
    CannotCorrect,
    CannotSubmit,
    EnoughDone,
    RaterGone,
    SlotTaken,
    StudyClosed,
)

__all__ = [
    "Acknowledgment",
    "Answer",
    "CannotCorrect",
    "CannotSubmit",
    "EnoughDone",
    "GradedItem",
    "Lease",
    "RaterGone",
    "SlotTaken",
    "Stage",
    "StageName",
    "StudyClosed",
    "TooManyNewcomers",
    "begin_session",
    "check_slots",
    "correct_answers",
    "count_planned",
    "expire_leases",
    "find_correctable",
    "find_first_minutes",
    "find_stage",
    "grade_training",
    "lease_task",
    "leave_study",
    "repair_slots",
    "return_task",
    "submit_answers",
    "take_lease",
]

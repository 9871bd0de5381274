"""The choices of fields of challenges."""

from typing import Final

from django.db.models import TextChoices


class ChallengeState(TextChoices):
    """Who can take part: nobody yet, everybody who accepts the terms, nobody any more."""

    DRAFT = "draft", "Draft"
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"


class ResultsVisibility(TextChoices):
    """Who sees the results of a team, besides the team and the hosts."""

    PARTICIPANT = "participant", "Nobody"
    ALL = "all", "Everybody"
    AFTER_END = "after_end", "Everybody, once the phase has ended"


class EntryRule(TextChoices):
    """Which submission of a team is its entry on the board."""

    BEST = "best", "The best"
    LATEST = "latest", "The latest"


class SubmissionState(TextChoices):
    """The state of a submission."""

    RECEIVING = "receiving", "Uploading"
    RECEIVED = "received", "Received"
    VALIDATED = "validated", "Validated"
    QUEUED = "queued", "Queued"
    SCORING = "scoring", "Scoring"
    SCORED = "scored", "Scored"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


ENDED: Final = (SubmissionState.SCORED, SubmissionState.FAILED, SubmissionState.CANCELLED)
COUNTED: Final = (
    SubmissionState.RECEIVED,
    SubmissionState.VALIDATED,
    SubmissionState.QUEUED,
    SubmissionState.SCORING,
    SubmissionState.SCORED,
)
"""The states in which a submission counts towards the limits; uploads, failures and cancelled ones do not."""


class ChallengeAction(TextChoices):
    """What the hosts did, as shown with the challenge."""

    CREATED = "created", "Created"
    CLONED = "cloned", "Copied"
    OPENED = "opened", "Opened"
    CLOSED = "closed", "Closed"
    DEADLINE_EXTENDED = "extended", "Deadline extended"
    LIMIT_RAISED = "raised", "Limit of a team raised"
    DISQUALIFIED = "disqualified", "Submission disqualified"
    REINSTATED = "reinstated", "Submission reinstated"
    RESCORED = "rescored", "Submission scored again"
    MADE_FINAL = "final", "Leaderboard made final"
    HUMAN_STUDY_MADE = "human_made", "Human evaluation prepared"
    HUMAN_RESULTS_SHOWN = "human_shown", "Results of a human evaluation shown"
    BASELINE_ADDED = "baseline_added", "Baseline added"
    BASELINE_REMOVED = "baseline_removed", "Baseline removed"


class BaselineKind(TextChoices):
    """Where the captions of a baseline come from."""

    COMMON_CAPTION = "common-caption", "Common caption"
    NEAREST_NEIGHBOUR = "nearest-neighbour", "Nearest neighbour"
    HUMAN = "human", "Human"
    FILE = "file", "Given file"


class HumanCriterion(TextChoices):
    """What people judge of the entries of a phase: M1 to M5 of COCO's challenge, and choices between entries."""

    M1 = "M1", "M1: better than, or as good as, a human caption"
    M2 = "M2", "M2: taken for a person's"
    M3 = "M3", "M3: correctness, 1 to 5"
    M4 = "M4", "M4: amount of detail, 1 to 5"
    M5 = "M5", "M5: as a person would describe the image"
    WINS = "wins", "Choices between entries"

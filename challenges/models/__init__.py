from challenges.models.baseline import Baseline
from challenges.models.challenge import Challenge, ChallengeEvent
from challenges.models.human import HumanEntry, HumanStudy
from challenges.models.phase import Phase, PhaseIntervals, PhaseMetric, PhaseReferences
from challenges.models.submission import Submission, SubmissionScore
from challenges.models.team import Team, TeamInvitation, TeamLimit, TeamMember, TeamWebhook, TermsAcceptance
from challenges.models.token import HostToken, TeamToken

__all__ = [
    "Baseline",
    "Challenge",
    "ChallengeEvent",
    "HostToken",
    "HumanEntry",
    "HumanStudy",
    "Phase",
    "PhaseIntervals",
    "PhaseMetric",
    "PhaseReferences",
    "Submission",
    "SubmissionScore",
    "Team",
    "TeamInvitation",
    "TeamLimit",
    "TeamMember",
    "TeamToken",
    "TeamWebhook",
    "TermsAcceptance",
]

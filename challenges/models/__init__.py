from challenges.models.challenge import Challenge, ChallengeEvent
from challenges.models.human import HumanEntry, HumanStudy
from challenges.models.phase import Phase, PhaseMetric, PhaseReferences
from challenges.models.submission import Submission, SubmissionScore
from challenges.models.team import Team, TeamInvitation, TeamLimit, TeamMember, TermsAcceptance
from challenges.models.token import TeamToken

__all__ = [
    "Challenge",
    "ChallengeEvent",
    "HumanEntry",
    "HumanStudy",
    "Phase",
    "PhaseMetric",
    "PhaseReferences",
    "Submission",
    "SubmissionScore",
    "Team",
    "TeamInvitation",
    "TeamLimit",
    "TeamMember",
    "TeamToken",
    "TermsAcceptance",
]

"""What hosts see of their challenge: its phases with counts, its teams and all submissions."""

from django.db.models import Count, Q, QuerySet

from challenges.enums import ENDED, SubmissionState
from challenges.models import Challenge, Phase, Submission, Team
from challenges.models.submission import REMOVED_BASELINE


def count_by_phase(challenge: Challenge) -> QuerySet[Phase]:
    """Return the phases with `n_scored`, `n_failed` and `n_moving`: submissions that are on their way."""
    return challenge.phases.annotate(
        n_scored=Count("submissions", filter=Q(submissions__state=SubmissionState.SCORED)),
        n_failed=Count("submissions", filter=Q(submissions__state=SubmissionState.FAILED)),
        n_moving=Count("submissions", filter=~Q(submissions__state__in=[*ENDED, SubmissionState.RECEIVING])),
    )


def list_teams(challenge: Challenge) -> QuerySet[Team]:
    """Return the teams by name, with `n_submissions`."""
    teams = challenge.teams.filter(is_baseline=False).annotate(n_submissions=Count("submissions"))
    return teams.prefetch_related("members__user", "limits__phase").order_by("name")


def list_submissions(challenge: Challenge) -> QuerySet[Submission]:
    """Return the submissions of all teams and baselines that are not removed, newest first."""
    found = Submission.objects.filter(~REMOVED_BASELINE, team__challenge=challenge)
    return found.select_related("team", "phase").order_by("-pk")

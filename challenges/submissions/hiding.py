"""Leaves submissions out of the leaderboard for their team, which can bring them back."""

from datetime import datetime

from django.db import transaction

from challenges.board.interval_jobs import queue_intervals
from challenges.enums import SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Phase, Submission


@transaction.atomic
def set_hidden(submission: Submission, *, is_hidden: bool, now: datetime) -> None:
    """Leave a submission out of the leaderboard, or bring it back; it counts towards the limits in both cases.

    The next submission of the team that the phase's rule chooses becomes its entry.

    Raises:
        ChallengeRefused: It is not scored, so that it has no place on the leaderboard, or the leaderboard is final.
    """
    # The submission before the phase, as at the end of scoring, so that no two transactions wait for each other.
    locked = Submission.objects.select_for_update().get(pk=submission.pk)
    # Locked as the final board is stored, which therefore shows the submission or does not.
    phase = Phase.objects.select_for_update().get(pk=submission.phase_id)
    if phase.frozen_at is not None:
        raise ChallengeRefused("the leaderboard of the phase is final")
    if locked.state != SubmissionState.SCORED:
        raise ChallengeRefused("only a scored submission is on the leaderboard")
    submission.is_hidden = locked.is_hidden = is_hidden
    locked.save(update_fields=["is_hidden"])
    queue_intervals(phase, now=now)

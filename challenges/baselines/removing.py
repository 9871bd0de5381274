"""Removes baselines from a phase, with a reason."""

from contextlib import suppress
from datetime import datetime
from functools import partial

from django.db import transaction

from challenges.baselines.making import delete_source
from challenges.board.interval_jobs import queue_intervals
from challenges.enums import ChallengeAction
from challenges.errors import ChallengeRefused
from challenges.hosting.events import check_reason, record_event
from challenges.models import Phase, Submission
from challenges.submissions.cancelling import cancel_submission
from studies.access.audit import Actor


@transaction.atomic
def remove_baseline(submission: Submission, *, reason: str, actor: Actor, now: datetime) -> None:
    """Take a baseline off the board for good, and delete its captions; its scores, which were seen, stay stored.

    Raises:
        ChallengeRefused: It is none, or removed already; the board is final; or there is no reason.
    """
    told = check_reason(reason)
    # The submission before the phase, as at the end of scoring, so that no two transactions wait for each other.
    locked = Submission.objects.select_for_update().get(pk=submission.pk)
    phase = Phase.objects.select_for_update().select_related("challenge").get(pk=locked.phase_id)
    if not locked.is_baseline:
        raise ChallengeRefused("it is not a baseline but the submission of a team: disqualify it")
    if phase.frozen_at is not None:
        raise ChallengeRefused("the leaderboard of the phase is final")
    if locked.disqualified_because:
        raise ChallengeRefused("the baseline has been removed already")
    with suppress(ChallengeRefused):
        cancel_submission(locked, reason="The baseline was removed.", now=now)
    if locked.file:
        transaction.on_commit(partial(locked.file.storage.delete, locked.file.name))
    delete_source(locked.baseline)
    Submission.objects.filter(pk=locked.pk).update(disqualified_because=told, file="")
    submission.refresh_from_db()
    queue_intervals(phase, now=now)
    details = {"phase": phase.slug, "baseline": locked.team.name, "submission": locked.token}
    action = ChallengeAction.BASELINE_REMOVED
    record_event(phase.challenge, actor=actor, action=action, now=now, reason=told, details=details)

"""Cancels submissions and old uploads, and deletes files that are not needed any more."""

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction

from challenges.enums import SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Submission
from challenges.submissions.received_files import delete_parts, delete_received
from challenges.submissions.webhooks import queue_webhooks
from studies.storage.outages import ServiceUnreachable

LONGEST_UPLOAD: Final = timedelta(days=1)
FILES_KEPT: Final = timedelta(days=7)
"""Files of failed and cancelled submissions are deleted this long after their end."""
_LOG: Final = logging.getLogger(__name__)


@transaction.atomic
def cancel_submission(submission: Submission, *, reason: str, now: datetime) -> None:
    """Cancel an upload or a submission of which no score is known yet, which then does not count.

    What arrived of an upload is deleted.

    Raises:
        ChallengeRefused: It has ended, or has a score: one that was seen has to count.
    """
    locked = Submission.objects.select_for_update().get(pk=submission.pk)
    if locked.finished_at is not None:
        raise ChallengeRefused(f"the submission has already ended: {locked.get_state_display().lower()}")
    if locked.scores.exists():
        raise ChallengeRefused("the first scores are known already: the submission counts")
    if locked.state == SubmissionState.RECEIVING:
        transaction.on_commit(partial(delete_received, locked))
    locked.state, locked.reason, locked.finished_at = SubmissionState.CANCELLED, reason, now
    locked.save(update_fields=["state", "reason", "finished_at"])
    queue_webhooks(locked, now=now)


def clean_up(now: datetime) -> None:
    """Cancel old uploads, and delete the files of submissions that ended without a score long ago."""
    cancel_old_uploads(now=now)
    delete_old_files(now=now)


def cancel_old_uploads(*, now: datetime) -> None:
    """Cancel the uploads of all teams that began over a day ago, and delete what arrived of them."""
    unfinished = Submission.objects.filter(state=SubmissionState.RECEIVING, created_at__lte=now - LONGEST_UPLOAD)
    for old in unfinished.order_by("pk"):
        with suppress(ChallengeRefused):
            cancel_submission(old, reason="The upload was not completed within a day.", now=now)


def delete_old_files(*, now: datetime) -> None:
    """Delete the files of submissions that failed or were cancelled over `FILES_KEPT` ago; their rows stay.

    Those of scored submissions are needed to score them again.
    """
    old = Submission.objects.filter(
        state__in=(SubmissionState.FAILED, SubmissionState.CANCELLED), finished_at__lte=now - FILES_KEPT
    )
    for submission in old.exclude(file="").order_by("pk"):
        # The file first: if the process ends in between, the next time finds the row again.
        try:
            delete_parts(submission)
            submission.file.delete(save=False)
        except (OSError, ServiceUnreachable) as error:
            _LOG.warning("the file of submission %s could not be deleted: %s", submission.token, error)
            continue
        submission.save(update_fields=["file"])

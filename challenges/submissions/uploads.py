"""Receives files of results in parts, so that an interrupted upload can be continued."""

import hashlib
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import QuerySet

from challenges.enums import ChallengeState, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Phase, Submission, Team
from challenges.submissions.cancelling import cancel_old_uploads
from challenges.submissions.received_files import append, complete, delete_parts, find_size, open_received
from challenges.submissions.scoring_jobs import queue_scoring
from challenges.taking_part.limits import check_limit
from metrics_plugins.readers.results import MAX_BYTES

MOST_UPLOADS: Final = 3
"""The most unfinished uploads of a team in a phase."""
BLOCK: Final = 8 * 2**20
"""The bytes of an upload for which one digest tells whether they have arrived."""


@transaction.atomic
def begin_upload(
    phase: Phase, *, team: Team, user: Any, name: str, n_bytes: int, now: datetime, description: str = ""
) -> Submission:
    """Begin the upload of a file of so many bytes; it does not count towards the limits until it is complete.

    Raises:
        ChallengeRefused: The phase or the challenge is not open, the file is too large, or the limit is reached.
    """
    Team.objects.select_for_update().get(pk=team.pk)
    if not 0 < n_bytes <= MAX_BYTES:
        raise ChallengeRefused(f"a file may have 1 to {MAX_BYTES:,} bytes, got {n_bytes:,}")
    check_open(phase, team=team, now=now)
    check_limit(phase, team=team, now=now)
    cancel_old_uploads(now=now)
    if list_unfinished(phase, team=team).count() >= MOST_UPLOADS:
        raise ChallengeRefused(f"the team has {MOST_UPLOADS} unfinished uploads: complete or cancel one of them")
    submission = Submission(
        team=team, phase=phase, made_by=user, name=name[:200], n_bytes=n_bytes, description=description, created_at=now
    )
    suffix = ".zip" if name.lower().endswith(".zip") else ".json"
    submission.file.save(f"{submission.token}{suffix}", ContentFile(b""), save=False)
    submission.save()
    return submission


def find_offset(submission: Submission) -> int:
    """Return how many bytes of the file have arrived."""
    return find_size(submission)


def list_unfinished(phase: Phase, *, team: Team) -> QuerySet[Submission]:
    """Return the unfinished uploads of a team in a phase, the newest first."""
    return Submission.objects.filter(phase=phase, team=team, state=SubmissionState.RECEIVING).order_by("-pk")


def digest_received(submission: Submission) -> tuple[int, list[str]]:
    """Return how many bytes have arrived, and the SHA-256 of each block of them; the last one may be shorter.

    Raises:
        ChallengeRefused: The upload is over.
    """
    _check_receiving(submission)
    left = n_received = find_offset(submission)
    digests = []
    with open_received(submission) as file:
        while left:
            # What arrives meanwhile is left out.
            block = file.read(min(BLOCK, left))
            digests.append(hashlib.sha256(block).hexdigest())
            left -= len(block)
    return n_received, digests


@transaction.atomic
def append_part(submission: Submission, *, offset: int, content: bytes) -> int:
    """Append a part of the file and return how many bytes have arrived.

    Raises:
        ChallengeRefused: The upload is over, the part does not begin where the last one ended, or it is too long.
    """
    locked = Submission.objects.select_for_update().get(pk=submission.pk)
    _check_receiving(locked)
    arrived = find_offset(locked)
    if offset != arrived:
        raise ChallengeRefused(f"the next part must begin at byte {arrived:,}, got {offset:,}")
    if arrived + len(content) > locked.n_bytes:
        raise ChallengeRefused(f"the file must have {locked.n_bytes:,} bytes as announced, got more")
    append(locked, offset=offset, content=content)
    return arrived + len(content)


@transaction.atomic
def finish_upload(submission: Submission, *, now: datetime) -> Submission:
    """Count a complete file as a submission of today, and queue its validation and scoring.

    Raises:
        ChallengeRefused: The file is incomplete, or the phase or limit does not allow it any more.
    """
    # Lock the team, so that files that are completed at the same time are counted one after the other.
    team = Team.objects.select_for_update().get(pk=submission.team_id)
    locked = Submission.objects.select_for_update().select_related("phase").get(pk=submission.pk)
    _check_receiving(locked)
    arrived = find_offset(locked)
    if arrived != locked.n_bytes:
        raise ChallengeRefused(f"the file must have {locked.n_bytes:,} bytes, got {arrived:,}: continue the upload")
    check_open(locked.phase, team=team, now=now)
    check_limit(locked.phase, team=team, now=now)
    locked.digest = complete(locked)
    locked.state = SubmissionState.RECEIVED
    locked.created_at = now
    locked.save(update_fields=["digest", "state", "created_at"])
    queue_scoring(locked, now=now)
    transaction.on_commit(partial(delete_parts, locked), robust=True)
    return locked


def _check_receiving(submission: Submission) -> None:
    if submission.state != SubmissionState.RECEIVING:
        raise ChallengeRefused(
            f"the upload has already ended: the submission is {submission.get_state_display().lower()}"
        )


def check_open(phase: Phase, *, team: Team, now: datetime) -> None:
    """Check that a team may submit to a phase now.

    Raises:
        ChallengeRefused: The phase is of another challenge, or the challenge or the phase is not open.
    """
    if phase.challenge_id != team.challenge_id:
        raise ChallengeRefused("the phase belongs to another challenge")
    if phase.challenge.state != ChallengeState.OPEN:
        raise ChallengeRefused("the challenge is not open")
    if not phase.opens_at <= now < phase.closes_at:
        raise ChallengeRefused(
            f"the phase accepts submissions from {phase.opens_at:%Y-%m-%d %H:%M} to {phase.closes_at:%Y-%m-%d %H:%M} "
            "(UTC)"
        )

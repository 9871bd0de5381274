"""Receives a whole file from a form or a request, without holding it in memory."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from challenges.models import Phase, Submission, Team
from challenges.submissions.uploads import append_part, begin_upload, finish_upload


def receive_chunks(
    phase: Phase,
    *,
    team: Team,
    user: Any,
    name: str,
    n_bytes: int,
    chunks: Iterable[bytes],
    now: datetime,
    description: str = "",
) -> Submission:
    """Receive a whole file of a known size in chunks; if it is refused, nothing is left of it.

    Raises:
        ChallengeRefused: As `begin_upload`, `append_part` and `finish_upload` do.
    """
    submission = None
    try:
        with transaction.atomic():
            submission = begin_upload(
                phase, team=team, user=user, name=name, n_bytes=n_bytes, now=now, description=description
            )
            offset = 0
            for chunk in chunks:
                offset = append_part(submission, offset=offset, content=chunk)
            return finish_upload(submission, now=now)
    except BaseException:
        # The row is rolled back; the file would stay.
        if submission is not None:
            submission.file.delete(save=False)
        raise

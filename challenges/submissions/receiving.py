"""Receives a whole file from a form or a request, without holding it in memory."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from challenges.models import Phase, Submission, Team
from challenges.submissions.received_files import delete_received
from challenges.submissions.uploads import BLOCK, append_part, begin_upload, finish_upload


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
    # No transaction spans the upload: a slow client would hold its locks.
    submission = begin_upload(phase, team=team, user=user, name=name, n_bytes=n_bytes, now=now, description=description)
    try:
        offset = 0
        for chunk in _join(chunks):
            offset = append_part(submission, offset=offset, content=chunk)
        return finish_upload(submission, now=now)
    except BaseException:
        delete_received(submission)
        submission.delete()
        raise


def _join(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in fewer chunks: each is stored in a transaction of its own."""
    held: list[bytes] = []
    for chunk in chunks:
        held.append(chunk)
        if sum(map(len, held)) >= BLOCK:
            yield b"".join(held)
            held = []
    if held:
        yield b"".join(held)

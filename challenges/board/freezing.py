"""Stores the final board of a phase, with a digest by which everybody can check it."""

import hashlib
import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction

from challenges.board.ranking import Board, Column, Entry, compute_board
from challenges.enums import ENDED, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Phase


@transaction.atomic
def freeze_board(phase: Phase, *, now: datetime) -> str:
    """Store the board of a phase that is over, with the names that the challenge shows; return its SHA-256.

    Raises:
        ChallengeRefused: The phase is not over, a submission is on the way, or the board is final already.
    """
    locked = Phase.objects.select_for_update().select_related("challenge").get(pk=phase.pk)
    if locked.frozen_at is not None:
        raise ChallengeRefused("the board of the phase is final already")
    if now < locked.closes_at:
        raise ChallengeRefused("the phase is not over")
    waiting = locked.submissions.exclude(state__in=(*ENDED, SubmissionState.RECEIVING)).count()
    if waiting:
        raise ChallengeRefused(f"{waiting} submissions are being scored: wait until they have ended")
    record = json.loads(print_board(compute_board(locked)))
    phase.frozen_at, phase.frozen_board, phase.frozen_digest = now, record, digest_record(record)
    phase.save(update_fields=["frozen_at", "frozen_board", "frozen_digest"])
    return phase.frozen_digest


def load_board(phase: Phase) -> Board:
    """Return the final board of a phase, or compute the present one.

    Raises:
        ValueError: The stored board does not match its digest.
    """
    if phase.frozen_at is None:
        return compute_board(phase)
    if digest_record(phase.frozen_board) != phase.frozen_digest:
        raise ValueError(f"the final board of phase {phase.pk} was changed after it was stored")
    return _read_board(phase.frozen_board)


def print_board(board: Board) -> str:
    """Return a board as JSON with sorted names, of which the digest is the SHA-256."""
    return json.dumps(asdict(board), sort_keys=True, ensure_ascii=False, default=datetime.isoformat)


def digest_record(record: Any) -> str:
    """Return the SHA-256 of a board's JSON."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _read_board(record: Any) -> Board:
    return Board(
        columns=tuple(Column(**each) for each in record["columns"]),
        entries=tuple(
            Entry(**{**each, "at": datetime.fromisoformat(each["at"]), "values": tuple(each["values"])})
            for each in record["entries"]
        ),
    )

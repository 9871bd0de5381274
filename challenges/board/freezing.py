"""Stores the final board of a phase, with a digest by which everybody can check it."""

import hashlib
import json
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from challenges.board.interval_jobs import COMPUTE_INTERVALS
from challenges.board.ranking import Board, Bounds, Column, Entry, compute_board
from challenges.enums import ENDED, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.human.showing import tabulate_human_results
from challenges.human.table import read_human_table
from challenges.models import Phase
from jobs.requests import find_job


@transaction.atomic
def freeze_board(phase: Phase, *, now: datetime) -> str:
    """Store the board of a phase that is over, with the names that the challenge shows; return its SHA-256.

    Human results are part of it where their study is closed; later ones are shown with it.

    Raises:
        ChallengeRefused: The phase is not over, a submission is on the way, or the board is final already.
    """
    locked = Phase.objects.select_for_update().select_related("challenge").get(pk=phase.pk)
    if locked.frozen_at is not None:
        raise ChallengeRefused("the leaderboard of the phase is already final")
    if now < locked.closes_at:
        raise ChallengeRefused("the phase is not over")
    waiting = locked.submissions.exclude(state__in=(*ENDED, SubmissionState.RECEIVING)).count()
    if waiting:
        raise ChallengeRefused(f"{waiting} submissions are being scored: wait until they are complete")
    if find_job(COMPUTE_INTERVALS, key=str(locked.pk), under_way=True):
        raise ChallengeRefused("the intervals of the leaderboard are being computed: wait until they are complete")
    board = compute_board(locked)
    human = tabulate_human_results(
        locked, board=board, shows_names=locked.challenge.shows_names, now=now, wait=True, only_final=True
    )
    if human is not None:
        board = replace(board, human=replace(human, n_stored=len(human.columns)))
    record = json.loads(print_board(board))
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
    at, human = record.get("intervals_at"), record.get("human")
    return Board(
        columns=tuple(Column(**each) for each in record["columns"]),
        entries=tuple(_read_entry(each) for each in record["entries"]),
        intervals_at=datetime.fromisoformat(at) if at else None,
        human=read_human_table(human) if human else None,
    )


def _read_entry(record: Any) -> Entry:
    """Read an entry; boards that were stored before there were intervals have none."""
    given = {
        **record,
        "at": datetime.fromisoformat(record["at"]),
        "values": tuple(record["values"]),
        "intervals": tuple(each and Bounds(**each) for each in record.get("intervals", ())),
        "clusters": tuple(record.get("clusters", ())),
    }
    return Entry(**given)

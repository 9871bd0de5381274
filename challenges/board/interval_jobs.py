"""The background job that computes the intervals and clusters of a board, whenever its entries change."""

from collections import Counter
from datetime import datetime
from typing import Any, Final

import numpy as np
from django.db import transaction

from challenges.board.intervals import Values, compare_entries
from challenges.board.ranking import Board, Column, compute_board
from challenges.models import Phase, PhaseIntervals, SubmissionScore
from challenges.rules import HOST_CHALLENGE
from jobs.errors import WorkFailed
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import queue_once
from jobs.running_job import JobHandle

MOST_SECONDS: Final = 3600.0


def queue_intervals(phase: Phase, *, now: datetime) -> None:
    """Queue the computation, unless it is queued, the phase shows no intervals or its board is final.

    Call it after the change of entries, or in its transaction.
    """
    if not phase.shows_intervals:
        return
    with transaction.atomic():
        # A computation that is ending has the lock, or sees the change once it gets it.
        locked = Phase.objects.select_for_update().get(pk=phase.pk)
        if locked.frozen_at is None:
            queue_once(COMPUTE_INTERVALS, key=str(phase.pk), payload={"phase": phase.pk}, now=now)


def _work(handle: JobHandle) -> None:
    phase = _find(handle.job)
    if phase is None or phase.frozen_at is not None:
        raise WorkFailed("the phase no longer exists, or its board is final")
    while not handle.is_finished:
        board = compute_board(phase)
        record = compute_record(board, phase, handle=handle)
        with transaction.atomic():
            # The phase before the job, as `queue_intervals` does, so that no two transactions wait for each other.
            Phase.objects.select_for_update().get(pk=phase.pk)
            handle.hold()
            if _list_entries(compute_board(phase)) != _list_entries(board):
                continue
            PhaseIntervals.objects.update_or_create(
                phase=phase, defaults={"computed_at": handle.now(), "record": record}
            )
            handle.finish()


def compute_record(board: Board, phase: Phase, *, handle: JobHandle | None = None) -> dict[str, Any]:
    """Return the intervals and clusters of a board as JSON, with ends rounded as the phase says."""
    entries: dict[str, dict[str, list[Any]]] = {
        str(each.submission): {"values": list(each.values), "intervals": [], "clusters": []} for each in board.entries
    }
    for number, column in enumerate(board.columns):
        if handle is not None:
            handle.report(f"Resampling {column.metric}.", n_done=number, n_total=len(board.columns))
        found = compare_entries(_read_scores(board, column), higher_is_better=column.higher_is_better, entropy=phase.pk)
        for each in board.entries:
            precision, own = found.get(each.submission), entries[str(each.submission)]
            ends = precision and [round(precision.low, phase.decimals), round(precision.high, phase.decimals)]
            own["intervals"].append(ends)
            own["clusters"].append(precision and precision.cluster)
    return {"columns": [[each.references, each.metric] for each in board.columns], "entries": entries}


def _read_scores(board: Board, column: Column) -> dict[int, Values]:
    """Return the scores of images of each entry, for scores that are means of them.

    Left out are entries with an image without a score, and those with another number of images than most.
    """
    rows = SubmissionScore.objects.filter(
        submission__in=[each.submission for each in board.entries],
        references=column.references,
        metric=column.metric,
        is_mean=True,
        per_image__isnull=False,
        n_images__gt=0,
    ).order_by("submission")
    found = {}
    for pk, n_images, stored in rows.values_list("submission", "n_images", "per_image"):
        # Every image has the same number of captions, and so their mean over images is that over captions.
        by_image = np.frombuffer(stored, "<f8").reshape(n_images, -1).mean(axis=1)
        if not np.isnan(by_image).any():
            found[pk] = by_image
    usual = Counter(len(each) for each in found.values()).most_common(1)
    return {pk: each for pk, each in found.items() if len(each) == usual[0][0]}


def _list_entries(board: Board) -> set[tuple[int, tuple[float | None, ...]]]:
    return {(each.submission, each.values) for each in board.entries}


def _find(job: Job) -> Phase | None:
    return Phase.objects.select_related("challenge").filter(pk=job.payload["phase"]).first()


def _may_see(user: Any, job: Job) -> bool:
    phase = _find(job)
    return phase is not None and bool(user.has_perm(HOST_CHALLENGE, phase.challenge))


COMPUTE_INTERVALS: Final = register(
    Kind(
        name="compute-intervals",
        title="Computing the intervals of a leaderboard",
        lane="challenges",
        work=_work,
        seconds=MOST_SECONDS,
        may_see=_may_see,
    )
)

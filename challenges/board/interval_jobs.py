"""The background job that computes the intervals and clusters of a board, whenever its entries change."""

from collections import Counter
from datetime import datetime
from typing import Any, Final

import numpy as np
from django.db import transaction

from challenges.board.image_statistics import PackedStatistics
from challenges.board.intervals import N_RESAMPLES, Reduce, compare_entries
from challenges.board.ranking import Board, Column, compute_board
from challenges.models import Phase, PhaseIntervals, SubmissionScore
from challenges.rules import HOST_CHALLENGE
from challenges.submissions.scoring import load_metrics
from jobs.errors import WorkFailed
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import queue_once
from jobs.running_job import JobHandle
from metrics_plugins.api import DecomposableMetric

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


def compute_record(
    board: Board, phase: Phase, *, handle: JobHandle | None = None, n_resamples: int = N_RESAMPLES
) -> dict[str, Any]:
    """Return the intervals and clusters of a board as JSON, with ends rounded as the phase says."""
    entries: dict[str, dict[str, list[Any]]] = {
        str(each.submission): {"values": list(each.values), "intervals": [], "clusters": []} for each in board.entries
    }
    for number, column in enumerate(board.columns):
        if handle is not None:
            handle.report(f"Resampling {column.metric}.", n_done=number, n_total=len(board.columns))
        statistics, reduce = _read_statistics(board, column, phase)
        found = compare_entries(
            statistics,
            higher_is_better=column.higher_is_better,
            entropy=phase.pk,
            reduce=reduce,
            n_resamples=n_resamples,
        )
        for each in board.entries:
            precision, own = found.get(each.submission), entries[str(each.submission)]
            ends = precision and [round(precision.low, phase.decimals), round(precision.high, phase.decimals)]
            own["intervals"].append(ends)
            own["clusters"].append(precision and precision.cluster)
    return {"columns": [[each.references, each.metric] for each in board.columns], "entries": entries}


def _read_statistics(board: Board, column: Column, phase: Phase) -> tuple[PackedStatistics, Reduce | None]:
    """Return the statistics of images of each entry, and how a score is computed from sums; None for a mean.

    Left out are entries with an image without a score, and those with another number of images than most.
    """
    reduce = _find_reduce(column, phase)
    rows = SubmissionScore.objects.filter(
        submission__in=[each.submission for each in board.entries],
        references=column.references,
        metric=column.metric,
        is_mean=reduce is None,
        per_image__isnull=False,
        n_images__gt=0,
    ).order_by("submission")
    found = {
        pk: (bytes(content), n_images)
        for pk, n_images, content in rows.values_list("submission", "n_images", "per_image")
    }
    shapes = {pk: each.shape for pk, each in PackedStatistics(found).items() if not np.isnan(each).any()}
    usual = Counter(shapes.values()).most_common(1)
    return PackedStatistics({pk: found[pk] for pk, shape in shapes.items() if shape == usual[0][0]}), reduce


def _find_reduce(column: Column, phase: Phase) -> Reduce | None:
    """Return how a metric computes a score from sums of statistics; None if it does not."""
    registry = load_metrics()
    if not issubclass(registry.get(column.metric).metric_class, DecomposableMetric):
        return None
    params = next(each.params for each in phase.metrics.all() if each.metric == column.metric)
    metric = registry.build(column.metric, **params)
    return metric.reduce if isinstance(metric, DecomposableMetric) else None


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

"""Who works on what: a lease that one worker holds, and a heartbeat that tells that it lives."""

import secrets
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q
from django_tasks_db.models import DBTaskResult

from studies.domain.scoring_requests.jobs import check_conformance, work_on_request
from studies.enums import RequestState
from studies.models import ConformanceReport, ScoringRequest

BEAT_SECONDS: Final = 0.5
DEAD_AFTER: Final = timedelta(seconds=30)
"""A worker whose heart stands still for so long is dead, and what it worked on is given to another."""

Leased = ScoringRequest | ConformanceReport


class Lease:
    """The right to work on one row, until somebody stops the work or takes it over.

    Call `stop` often: it beats, and returns whether the right is lost.
    """

    def __init__(self, row: Leased, *, now: Callable[[], datetime]) -> None:
        self.row = row
        self._now = now
        self._next_beat = time.monotonic() + BEAT_SECONDS
        self._lost = False

    def stop(self) -> bool:
        if not self._lost and time.monotonic() >= self._next_beat:
            self._next_beat = time.monotonic() + BEAT_SECONDS
            self._lost = not self.update(heartbeat=self._now())
        return self._lost

    def update(self, **values: Any) -> bool:
        """Write to the row; return False, and write nothing, if the right is lost."""
        held = type(self.row)._default_manager.filter(pk=self.row.pk, state=RequestState.RUNNING, lease=self.row.lease)
        return bool(held.update(**values))


def take_lease(model: type[Leased], pk: int, *, now: Callable[[], datetime]) -> Lease | None:
    """Take a row that waits, or whose worker is dead; None if there is nothing to be done."""
    at = now()
    token = secrets.token_hex(16)
    free = model._default_manager.filter(Q(state=RequestState.QUEUED) | _has_died(at), pk=pk)
    if not free.update(state=RequestState.RUNNING, lease=token, heartbeat=at):
        return None
    return Lease(model._default_manager.get(pk=pk), now=now)


def revive(*, now: datetime) -> int:
    """Give what dead workers worked on, and what none began with, to those that live; return how much that was."""
    n_revived = 0
    for model, job in ((ScoringRequest, work_on_request), (ConformanceReport, check_conformance)):
        for pk in model._default_manager.filter(_has_died(now) | _was_forgotten(now)).values_list("pk", flat=True):
            if not _is_waiting(job.module_path, pk):
                job.enqueue(pk)
                n_revived += 1
    return n_revived


def _has_died(now: datetime) -> Q:
    return Q(state=RequestState.RUNNING, heartbeat__lt=now - DEAD_AFTER)


def _was_forgotten(now: datetime) -> Q:
    # A worker that dies between taking a job and beginning with it leaves a row that waits for ever.
    return Q(state=RequestState.QUEUED, requested_at__lt=now - DEAD_AFTER)


def _is_waiting(path: str, pk: int) -> bool:
    ready = DBTaskResult.objects.ready().filter(task_path=path)
    return any(arguments["args"] == [pk] for arguments in ready.values_list("args_kwargs", flat=True))

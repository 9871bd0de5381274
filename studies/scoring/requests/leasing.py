"""Leases of requested runs: one worker holds a lease and renews its heartbeat while it is alive."""

import secrets
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Case, F, Q, When

from studies.enums import RequestState
from studies.models import RequestedMetric, ScoringRequest

BEAT_SECONDS: Final = 0.5
DEAD_AFTER: Final = timedelta(seconds=30)
"""A worker that has not renewed its heartbeat for this long is considered dead, and its work is reassigned."""

MOST_LOST: Final = 3
"""Work that was lost with this many workers in a row is abandoned, since it would probably end the next one too."""

Leased = ScoringRequest
_MODELS: Final[tuple[type[Leased], ...]] = (ScoringRequest,)
_WORKER: Final = secrets.token_hex(8)
"""The prefix of every lease of this process."""


class RequestLease:
    """The exclusive right to work on one row, until the work is stopped or another worker takes it over.

    Call `stop` often: it renews the heartbeat, and returns whether the lease is lost.
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
        """Update the row; return False, and write nothing, if the lease is lost."""
        held = type(self.row)._default_manager.filter(pk=self.row.pk, state=RequestState.RUNNING, lease=self.row.lease)
        return bool(held.update(**values))


def take_lease(model: type[Leased], pk: int, *, now: Callable[[], datetime]) -> RequestLease | None:
    """Take the lease of a row that is queued or whose worker is dead; return None if there is nothing to do."""
    at = now()
    token = _WORKER + secrets.token_hex(8)
    free = model._default_manager.filter(Q(state=RequestState.QUEUED) | has_died(at), pk=pk)
    lost = Case(When(state=RequestState.RUNNING, then=F("n_lost") + 1), default=0)
    if not free.update(state=RequestState.RUNNING, lease=token, heartbeat=at, n_lost=lost):
        return None
    return RequestLease(model._default_manager.get(pk=pk), now=now)


def give_back() -> int:
    """Return all work of this process to the queue as if it had not been started; return the number of rows.

    For a worker that is asked to stop. The losses are not counted; `requeue_lost_requests` starts the work elsewhere.
    """
    return sum(
        _give_back(model, pk)
        for model in _MODELS
        for pk in model._default_manager.filter(_is_ours()).values_list("pk", flat=True)
    )


@transaction.atomic
def _give_back(model: type[Leased], pk: int) -> bool:
    waits = model._meta.get_field("state").default
    if not model._default_manager.filter(_is_ours(), pk=pk).update(state=waits, lease=""):
        return False
    if model is ScoringRequest:
        # Undo the last start of each metric that was begun. One of them was being scored; any others ended workers
        # before and get one more try.
        RequestedMetric.objects.filter(request=pk, n_begun__gt=0).update(n_begun=F("n_begun") - 1)
    return True


def _is_ours() -> Q:
    return Q(state=RequestState.RUNNING, lease__startswith=_WORKER)


def explain_losses(n: int) -> str:
    """Return why work that was lost with `n` workers is not tried again; "" if it is."""
    return f"{n} workers of the background ended, one after the other, while they were at it" if n >= MOST_LOST else ""


def has_died(now: datetime) -> Q:
    """Return the filter for rows whose worker is dead at this time."""
    return Q(state=RequestState.RUNNING, heartbeat__lt=now - DEAD_AFTER)

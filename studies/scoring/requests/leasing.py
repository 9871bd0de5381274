"""Who works on what: a lease that one worker holds, and a heartbeat that tells that it lives."""

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
"""A worker whose heart stands still for so long is dead, and what it worked on is given to another."""

MOST_LOST: Final = 3
"""What so many workers died of, one after the other, is given up: it would take down every one that follows."""

Leased = ScoringRequest
_MODELS: Final[tuple[type[Leased], ...]] = (ScoringRequest,)
_WORKER: Final = secrets.token_hex(8)
"""What every lease of this process begins with."""


class RequestLease:
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


def take_lease(model: type[Leased], pk: int, *, now: Callable[[], datetime]) -> RequestLease | None:
    """Take a row that waits, or whose worker is dead; None if there is nothing to be done."""
    at = now()
    token = _WORKER + secrets.token_hex(8)
    free = model._default_manager.filter(Q(state=RequestState.QUEUED) | has_died(at), pk=pk)
    lost = Case(When(state=RequestState.RUNNING, then=F("n_lost") + 1), default=0)
    if not free.update(state=RequestState.RUNNING, lease=token, heartbeat=at, n_lost=lost):
        return None
    return RequestLease(model._default_manager.get(pk=pk), now=now)


def give_back() -> int:
    """Let go of all that this process works on, as if nobody had begun with it; return how much that was.

    For a worker that is told to stop: what it leaves did not kill it, and `requeue_lost_requests` gives it to another.
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
        # Of those begun one was at work and the others, if any, took workers down before: they get one more try.
        RequestedMetric.objects.filter(request=pk, n_begun__gt=0).update(n_begun=F("n_begun") - 1)
    return True


def _is_ours() -> Q:
    return Q(state=RequestState.RUNNING, lease__startswith=_WORKER)


def explain_losses(n: int) -> str:
    """Return why what so many workers died of is not tried again; "" if it is."""
    return f"{n} workers of the background ended, one after the other, while they were at it" if n >= MOST_LOST else ""


def has_died(now: datetime) -> Q:
    """Rows whose worker is dead at this time."""
    return Q(state=RequestState.RUNNING, heartbeat__lt=now - DEAD_AFTER)

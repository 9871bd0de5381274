"""A clock that runs faster, so that minutes of work, and leases that run out, take seconds.

Only the server of a simulation uses it: `annotation_ui.simulation.wsgi` sets it, in a process of its own.
"""

from datetime import UTC, datetime, timedelta

from django.utils import timezone


def speed_up(factor: float, *, since: datetime) -> None:
    """Let `django.utils.timezone.now` run `factor` times as fast from `since` on, in this process."""

    def now() -> datetime:
        return read_fast_clock(datetime.now(tz=UTC), factor=factor, since=since)

    timezone.now = now


def read_fast_clock(real: datetime, *, factor: float, since: datetime) -> datetime:
    """Return what the fast clock shows at a real moment."""
    return since + factor * (real - since if real > since else timedelta())

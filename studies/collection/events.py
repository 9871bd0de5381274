"""Records events of raters: refusals, and arrivals without a cookie."""

from datetime import datetime

from studies.enums import EventKind
from studies.models import Rater, RaterEvent


def record_refusal(rater: Rater, *, reason: str, now: datetime, **details: object) -> None:
    """Record a refused request of a rater, with its reason and kind but without its content."""
    _record(rater, EventKind.REFUSED, now=now, reason=reason, **details)


def record_second_device(rater: Rater, *, now: datetime) -> None:
    """Record that a rater known from a panel or link came with a browser without their cookie."""
    _record(rater, EventKind.SECOND_DEVICE, now=now)


def record_refused_arrival(rater: Rater, *, now: datetime) -> None:
    """Record that a visitor came with the id of a rater but could not be verified as the same person."""
    _record(rater, EventKind.ARRIVAL_REFUSED, now=now)


def _record(rater: Rater, kind: EventKind, *, now: datetime, **details: object) -> None:
    RaterEvent.objects.create(study_id=rater.study_id, rater=rater, kind=kind, details=details, at=now)

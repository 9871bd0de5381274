"""Records events of raters: that something was refused, or that they came without their cookie."""

from datetime import datetime

from studies.enums import EventKind
from studies.models import Rater, RaterEvent


def record_refusal(rater: Rater, *, reason: str, now: datetime, **details: object) -> None:
    """Record that something of a rater was refused: why, and of which kind it was; never what it held."""
    _record(rater, EventKind.REFUSED, now=now, reason=reason, **details)


def record_second_device(rater: Rater, *, now: datetime) -> None:
    """Record that a rater whom a panel or a link knows came from a browser that did not."""
    _record(rater, EventKind.SECOND_DEVICE, now=now)


def record_refused_arrival(rater: Rater, *, now: datetime) -> None:
    """Record that somebody came with the id of a rater and could not show that they are the same person."""
    _record(rater, EventKind.ARRIVAL_REFUSED, now=now)


def _record(rater: Rater, kind: EventKind, *, now: datetime, **details: object) -> None:
    RaterEvent.objects.create(study_id=rater.study_id, rater=rater, kind=kind, details=details, at=now)

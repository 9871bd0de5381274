"""Secret links to single reports. Only the digest of a token is stored."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import F

from studies.access.audit import Actor, record_change
from studies.access.terms import read_link_term
from studies.access.visibility import is_of_somebody_inside
from studies.enums import AuditAction
from studies.models import FrozenReport, ReportLink

_HINT: Final = 4
_IS_OF_MEMBER: Final = is_of_somebody_inside(person="made_by", study="report__study")


@dataclass(frozen=True, slots=True)
class MadeLink:
    """A new link; `token` is shown once and not stored."""

    link: ReportLink
    token: str


@transaction.atomic
def share_report(report: FrozenReport, *, actor: Actor, now: datetime, days: int | None = None) -> MadeLink:
    """Create a secret link to a report, valid for some days; None for the default.

    It ends earlier if it is revoked or its creator is no longer a member of the study.

    Raises:
        DaysRefused: The number of days is not allowed.
    """
    end = read_link_term().find_end(days, now=now)
    token = secrets.token_urlsafe(32)
    link = ReportLink.objects.create(
        report=report, digest=_digest(token), hint=token[-_HINT:], made_by=actor.user, made_at=now, expires_at=end
    )
    details = {"report": report.number, "link": link.pk, "hint": link.hint}
    record_change(report.study, actor=actor, action=AuditAction.SHARED, now=now, details=details)
    return MadeLink(link, token)


@transaction.atomic
def revoke_link(link: ReportLink, *, actor: Actor, now: datetime) -> bool:
    """Revoke a link; return whether it was not revoked before."""
    if not ReportLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=now):
        return False
    details = {"report": link.report.number, "link": link.pk, "hint": link.hint}
    record_change(link.report.study, actor=actor, action=AuditAction.UNSHARED, now=now, details=details)
    return True


def find_shared(token: str, *, now: datetime) -> FrozenReport | None:
    """Return the report of a token; None if the link is unknown or no longer valid."""
    good = ReportLink.objects.filter(_IS_OF_MEMBER, digest=_digest(token), revoked_at=None, expires_at__gt=now)
    link = good.select_related("report__study").first()
    return link.report if link else None


def count_view(token: str) -> None:
    """Count a view of the page of a link."""
    ReportLink.objects.filter(digest=_digest(token)).update(n_views=F("n_views") + 1)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

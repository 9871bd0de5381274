"""What happened in the studies of a person, from their histories, and what of it the person has read."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet

from studies.access.visibility import visible_studies
from studies.enums import AuditAction
from studies.models import AuditEntry, NotificationSettings

NOTIFIED: Final = (AuditAction.RUN_ENDED, AuditAction.FILLED, AuditAction.REPORTED)
"""What mails and webhooks tell of."""

MOST_COUNTED: Final = 100
"""Unread changes are counted up to this number."""


def list_feed(user: Any) -> QuerySet[AuditEntry]:
    """Return the entries of the histories of all studies that a person may see, newest first, each with its study."""
    entries = AuditEntry.objects.filter(study__in=visible_studies(user))
    return entries.select_related("study").order_by("-pk")


def list_notifications(user: Any) -> QuerySet[AuditEntry]:
    """Return the entries of the feed that notify: of `NOTIFIED` actions, and comments of other people."""
    is_comment = Q(action=AuditAction.COMMENTED) & ~Q(actor=user)
    return list_feed(user).filter(Q(action__in=NOTIFIED) | is_comment)


def find_read(user: Any) -> int:
    """Return the primary key of the last entry that a person has marked as read, with all older ones; 0 for none."""
    return NotificationSettings.objects.filter(user=user).values_list("read_up_to", flat=True).first() or 0


@dataclass(frozen=True, slots=True)
class Unread:
    """What others have done since a person marked the feed as read.

    Attributes:
        keys: The primary keys of such entries among those of a page.
        n: The number of all such entries as a page shows it: `99+` for a hundred or more, empty for none.
    """

    keys: frozenset[int]
    n: str


def find_unread(user: Any, entries: Iterable[AuditEntry]) -> Unread:
    """Return what is new to a person, on a page with these entries of the feed and in all."""
    read = find_read(user)
    keys = frozenset(entry.pk for entry in entries if entry.pk > read and entry.actor_id != user.pk)
    # Count only up to the limit.
    n_unread = list_feed(user).filter(pk__gt=read).exclude(actor=user)[:MOST_COUNTED].count()
    return Unread(keys, f"{MOST_COUNTED - 1}+" if n_unread == MOST_COUNTED else str(n_unread or ""))


def mark_read(user: Any, *, up_to: int) -> None:
    """Mark the entries up to this primary key as read, and newer ones as unread."""
    newest = list_feed(user).values_list("pk", flat=True).first() or 0
    NotificationSettings.objects.update_or_create(user=user, defaults={"read_up_to": min(up_to, newest)})

"""Writes down who changed what in a study, who saw personal data and who came in, and by which interface."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from studies.enums import AuditAction, Interface
from studies.models import AuditEntry, Study


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, and how they came in. `user` is None for a command that names nobody."""

    user: Any | None
    interface: Interface

    @property
    def name(self) -> str:
        return self.user.get_username() if self.user is not None else ""


COMMAND_LINE = Actor(user=None, interface=Interface.COMMAND)


def record_change(
    study: Study, *, actor: Actor, action: AuditAction, now: datetime, details: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Write one entry; call it in the transaction that makes the change, so that neither is there without the other.

    `details` must be JSON and say what was and what is now; no secret and no personal data of raters.
    """
    return record_event(actor=actor, action=action, now=now, details=details, study=study)


def record_names(study: Study, *, people: int, command: str, now: datetime) -> AuditEntry:
    """Write that a command has written a file which names raters; not whom, and not where the file is."""
    details = {"people": people, "command": command}
    return record_change(study, actor=COMMAND_LINE, action=AuditAction.NAMES_EXPORTED, now=now, details=details)


def record_event(
    *,
    actor: Actor,
    action: AuditAction,
    now: datetime,
    details: Mapping[str, Any] | None = None,
    study: Study | None = None,
) -> AuditEntry:
    """Write an entry that need not be of a study: of an account, or of a person in several studies."""
    return AuditEntry.objects.create(
        study=study,
        study_name=study.name if study else "",
        actor=actor.user,
        actor_name=actor.name,
        interface=actor.interface,
        action=AuditAction(action),
        details=dict(details or {}),
        at=now,
    )

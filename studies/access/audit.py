"""The audit log: changes of studies, access to personal data and log-ins, each with person and interface."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from studies.enums import AuditAction, Interface
from studies.models import AuditEntry, Study


@dataclass(frozen=True, slots=True)
class Actor:
    """The person who acts, and the interface used. `user` is None if no account acts, as in commands."""

    user: Any | None
    interface: Interface

    @property
    def name(self) -> str:
        return self.user.get_username() if self.user is not None else ""


class ActorAndTime(TypedDict):
    """Who acts, and when, as arguments of functions that make a change."""

    actor: Actor
    now: datetime


COMMAND_LINE = Actor(user=None, interface=Interface.COMMAND)


def record_change(
    study: Study, *, actor: Actor, action: AuditAction, now: datetime, details: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Add an entry; call it in the transaction of the change, so that both are saved or neither.

    `details` must be JSON with the old and new values; it may contain no secret and no personal data of raters.
    """
    return record_event(actor=actor, action=action, now=now, details=details, study=study)


def record_names(study: Study, *, people: int, command: str, now: datetime, actor: Actor = COMMAND_LINE) -> AuditEntry:
    """Record that a file with names of raters was written or sent, without the names or the path.

    `command` is the name of the command that writes it, also where a page does.
    """
    details = {"people": people, "command": command}
    return record_change(study, actor=actor, action=AuditAction.NAMES_EXPORTED, now=now, details=details)


def record_event(
    *,
    actor: Actor,
    action: AuditAction,
    now: datetime,
    details: Mapping[str, Any] | None = None,
    study: Study | None = None,
) -> AuditEntry:
    """Add an entry that may be about no single study, such as one on an account or a person in several studies."""
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

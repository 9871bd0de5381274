"""Writes down what operators change of studies and members by hand."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from studies.access.auditing import Actor, record_change
from studies.enums import AuditAction, Door
from studies.models import Study, StudyMember


def record_study(request: HttpRequest, study: Study, *, before: Study) -> None:
    """Write what differs between a study as it was and as it is."""
    differing = {
        name: {"was": getattr(before, name), "is": getattr(study, name)}
        for name in ("title", "protocol")
        if getattr(before, name) != getattr(study, name)
    }
    if differing:
        _record(request, study, AuditAction.RENAMED, differing)
    if before.owner_id != study.owner_id:
        _record(request, study, AuditAction.OWNER_CHANGED, {"was": _name(before.owner), "owner": _name(study.owner)})


def record_member(request: HttpRequest, member: StudyMember, *, action: AuditAction, was: str = "") -> None:
    """Write that a member came, was changed or goes; of a change also the role before."""
    before = {"was": was} if was else {}
    details = {"member": member.user.get_username(), **before, "role": member.role}
    _record(request, member.study, action, details)


def _record(request: HttpRequest, study: Study, action: AuditAction, details: dict[str, Any]) -> None:
    actor = Actor(user=request.user, door=Door.PAGE)
    record_change(study, actor=actor, action=action, now=timezone.now(), details=details)


def _name(user: Any) -> str:
    return user.get_username() if user is not None else ""

"""Records changes of studies and members made in the admin."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from studies.access.audit import Actor, record_change
from studies.access.members import end_access
from studies.design.preregistration.declaration import Analysis, compare_plan
from studies.design.preregistration.deviations import Confirmation, confirm_change
from studies.enums import AuditAction, Interface
from studies.models import Study, StudyMember


def record_study(request: HttpRequest, study: Study, *, before: Study) -> None:
    """Record the differences between the old and the new values of a study."""
    differing = {
        name: {"was": getattr(before, name), "is": getattr(study, name)}
        for name in ("title", "protocol")
        if getattr(before, name) != getattr(study, name)
    }
    if differing:
        # The admin's own form cannot ask for a confirmation, so its changes count as confirmed.
        done = Analysis(protocol=study.protocol if "protocol" in differing else None)
        deviating = confirm_change(
            study, lambda declared: compare_plan(declared["plan"], done), confirmation=Confirmation(is_given=True)
        )
        _record(request, study, AuditAction.RENAMED, differing | deviating)
    if before.owner_id != study.owner_id:
        _record(request, study, AuditAction.OWNER_CHANGED, {"was": _name(before.owner), "owner": _name(study.owner)})
        if before.owner and not StudyMember.objects.filter(study=study, user=before.owner).exists():
            end_access(study, before.owner, actor=_make_actor(request), now=timezone.now())


def record_member(request: HttpRequest, member: StudyMember, *, action: AuditAction, was: str = "") -> None:
    """Record that a member was added, changed (with the role before) or removed; then revoke tokens and links."""
    before = {"was": was} if was else {}
    details = {"member": member.user.get_username(), **before, "role": member.role}
    _record(request, member.study, action, details)
    if action == AuditAction.MEMBER_REMOVED:
        end_access(member.study, member.user, actor=_make_actor(request), now=timezone.now())


def _record(request: HttpRequest, study: Study, action: AuditAction, details: dict[str, Any]) -> None:
    record_change(study, actor=_make_actor(request), action=action, now=timezone.now(), details=details)


def _make_actor(request: HttpRequest) -> Actor:
    return Actor(user=request.user, interface=Interface.PAGE)


def _name(user: Any) -> str:
    return user.get_username() if user is not None else ""

"""Adds, changes and removes members of a study."""

from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from studies.access.audit import Actor, record_change
from studies.access.sharing import revoke_link
from studies.access.tokens import revoke_token
from studies.enums import AuditAction, MemberRole
from studies.models import ApiToken, ReportLink, Study, StudyMember
from studies.shared.errors import Refusal


class CannotChangeMembers(Refusal):
    """The person does not exist, or their role in the study does not allow it; the message says which."""


def list_members(study: Study) -> QuerySet[StudyMember]:
    """Return the members of a study by name, each with the user."""
    return StudyMember.objects.filter(study=study).select_related("user").order_by("user__username")


@transaction.atomic
def add_member(study: Study, *, username: str, role: MemberRole, actor: Actor, now: datetime) -> StudyMember:
    """Add a person as a member of the study.

    Raises:
        CannotChangeMembers: No active account has this name, or the account is the owner or a member already.
    """
    user = find_user(username)
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.owner_id == user.pk:
        raise CannotChangeMembers(f"{username} owns the study and already has all permissions")
    try:
        with transaction.atomic():
            made = StudyMember.objects.create(study=study, user=user, role=MemberRole(role))
    except IntegrityError as error:
        raise CannotChangeMembers(f"{username} is already a member; change the role instead") from error
    details = {"member": user.get_username(), "role": made.role}
    record_change(study, actor=actor, action=AuditAction.MEMBER_ADDED, now=now, details=details)
    return made


@transaction.atomic
def change_role(member: StudyMember, *, role: MemberRole, actor: Actor, now: datetime) -> None:
    """Give a member another role; the current role changes nothing."""
    was = member.role
    if was == role:
        return
    member.role = MemberRole(role)
    member.save(update_fields=["role"])
    details = {"member": member.user.get_username(), "was": was, "role": member.role}
    record_change(member.study, actor=actor, action=AuditAction.MEMBER_CHANGED, now=now, details=details)


@transaction.atomic
def remove_member(member: StudyMember, *, actor: Actor, now: datetime) -> None:
    """Remove a member; their work remains, their tokens and links are revoked."""
    details = {"member": member.user.get_username(), "was": member.role}
    record_change(member.study, actor=actor, action=AuditAction.MEMBER_REMOVED, now=now, details=details)
    member.delete()
    end_access(member.study, member.user, actor=actor, now=now)


def end_access(study: Study, user: Any, *, actor: Actor, now: datetime) -> None:
    """Revoke the tokens and links of a person who leaves, so that they stay invalid if the person returns."""
    for token in ApiToken.objects.filter(study=study, made_by=user, revoked_at=None).select_related("study"):
        revoke_token(token, actor=actor, now=now)
    links = ReportLink.objects.filter(report__study=study, made_by=user, revoked_at=None)
    for link in links.select_related("report__study").defer("report__content", "report__facts"):
        revoke_link(link, actor=actor, now=now)


def find_user(username: str) -> Any:
    """Return the active account with this name.

    Raises:
        CannotChangeMembers: There is no such account.
    """
    users = get_user_model()
    found = users._default_manager.filter(username=username, is_active=True).first()
    if found is None:
        raise CannotChangeMembers(f"there is no account with the username {username!r}")
    return found

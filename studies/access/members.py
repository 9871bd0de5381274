"""Who works on a study: members come, change and go."""

from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from studies.access.auditing import Actor, record_change
from studies.access.sharing import revoke_link
from studies.access.tokens import revoke_token
from studies.enums import AuditAction, MemberRole
from studies.models import ApiToken, ReportLink, Study, StudyMember


class CannotChangeMembers(Exception):
    """There is no such person, or their part in the study does not allow it; the message says which."""


def list_members(study: Study) -> QuerySet[StudyMember]:
    """Return the members of a study by name, each with the user."""
    return StudyMember.objects.filter(study=study).select_related("user").order_by("user__username")


@transaction.atomic
def add_member(study: Study, *, username: str, role: MemberRole, actor: Actor, now: datetime) -> StudyMember:
    """Let a person work on the study.

    Raises:
        CannotChangeMembers: No active account has this name, or it is the owner's or a member's.
    """
    user = find_user(username)
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.owner_id == user.pk:
        raise CannotChangeMembers(f"{username} owns the study and may do everything already")
    try:
        with transaction.atomic():
            made = StudyMember.objects.create(study=study, user=user, role=MemberRole(role))
    except IntegrityError as error:
        raise CannotChangeMembers(f"{username} is a member already; change the role instead") from error
    details = {"member": user.get_username(), "role": made.role}
    record_change(study, actor=actor, action=AuditAction.MEMBER_ADDED, now=now, details=details)
    return made


@transaction.atomic
def change_role(member: StudyMember, *, role: MemberRole, actor: Actor, now: datetime) -> None:
    """Give a member another role; the same one again changes nothing."""
    was = member.role
    if was == role:
        return
    member.role = MemberRole(role)
    member.save(update_fields=["role"])
    details = {"member": member.user.get_username(), "was": was, "role": member.role}
    record_change(member.study, actor=actor, action=AuditAction.MEMBER_CHANGED, now=now, details=details)


@transaction.atomic
def remove_member(member: StudyMember, *, actor: Actor, now: datetime) -> None:
    """Let a member work on the study no more; what they made stays, their tokens and links are good for nothing."""
    details = {"member": member.user.get_username(), "was": member.role}
    record_change(member.study, actor=actor, action=AuditAction.MEMBER_REMOVED, now=now, details=details)
    member.delete()
    end_access(member.study, member.user, actor=actor, now=now)


def end_access(study: Study, user: Any, *, actor: Actor, now: datetime) -> None:
    """Revoke the tokens and links that a person who leaves made, so that coming back brings none of them back."""
    for token in ApiToken.objects.filter(study=study, made_by=user, revoked_at=None).select_related("study"):
        revoke_token(token, actor=actor, now=now)
    links = ReportLink.objects.filter(report__study=study, made_by=user, revoked_at=None)
    for link in links.select_related("report__study").defer("report__content", "report__facts"):
        revoke_link(link, actor=actor, now=now)


def find_user(username: str) -> Any:
    """Return the active account with this name.

    Raises:
        CannotChangeMembers: There is none.
    """
    users = get_user_model()
    found = users._default_manager.filter(username=username, is_active=True).first()
    if found is None:
        raise CannotChangeMembers(f"no account has the name {username!r}")
    return found

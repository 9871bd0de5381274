"""Permissions for one study, and the predicates that they consist of.

A study without an owner (imported by a command) is accessible to superusers and its members. Each permission includes
the previous one: viewing, analysing (runs, reports, tokens with this role), changing (design, state, raters), managing
(members, ownership).
"""

from typing import Any

import rules

from studies.enums import MemberRole
from studies.models import Study, StudyMember

# A user, or Django's `AnonymousUser`, which share no base class.
Person = Any


@rules.predicate
def is_owner(user: Person, study: Study | None) -> bool:
    return study is not None and study.owner_id is not None and study.owner_id == user.pk


@rules.predicate
def is_editor(user: Person, study: Study | None) -> bool:
    return _find_role(user, study) == MemberRole.EDITOR


@rules.predicate
def is_analyst(user: Person, study: Study | None) -> bool:
    return _find_role(user, study) == MemberRole.ANALYST


@rules.predicate
def is_viewer(user: Person, study: Study | None) -> bool:
    return _find_role(user, study) == MemberRole.VIEWER


def _find_role(user: Person, study: Study | None) -> str | None:
    """Return the role of a member, which is cached on the study object."""
    if study is None or not user.is_authenticated:
        return None
    known: dict[int, str | None] = study.__dict__.setdefault("_roles_of_members", {})
    if user.pk not in known:
        known[user.pk] = StudyMember.objects.filter(study=study, user=user).values_list("role", flat=True).first()
    return known[user.pk]


# Superusers are not mentioned, since their `has_perm` is true without any rule.
can_manage = rules.is_active & is_owner
can_change = can_manage | (rules.is_active & is_editor)
can_analyse = can_change | (rules.is_active & is_analyst)
can_view = can_analyse | (rules.is_active & is_viewer)

VIEW_STUDY = "studies.view_study"
ANALYSE_STUDY = "studies.analyse_study"
CHANGE_STUDY = "studies.change_study"
MANAGE_STUDY = "studies.manage_study"

rules.add_perm(VIEW_STUDY, can_view)
rules.add_perm(ANALYSE_STUDY, can_analyse)
rules.add_perm(CHANGE_STUDY, can_change)
rules.add_perm(MANAGE_STUDY, can_manage)

RIGHTS_OF_ROLES = {
    MemberRole.VIEWER: frozenset({VIEW_STUDY}),
    MemberRole.ANALYST: frozenset({VIEW_STUDY, ANALYSE_STUDY}),
    MemberRole.EDITOR: frozenset({VIEW_STUDY, ANALYSE_STUDY, CHANGE_STUDY}),
}
"""The most that a token of each role allows; it never allows more than its creator may do."""

"""Who may do what with one study: predicates, and the permissions made of them.

A study without an owner (imported by a command) belongs to superusers and to those made members.
"""

from typing import Any

import rules

from studies.enums import MemberRole
from studies.models import Study, StudyMember

# A user of the site, or Django's `AnonymousUser`, which share no class.
Person = Any


@rules.predicate
def is_owner(user: Person, study: Study | None) -> bool:
    return study is not None and study.owner_id is not None and study.owner_id == user.pk


@rules.predicate
def is_editor(user: Person, study: Study | None) -> bool:
    return _has_role(user, study, MemberRole.EDITOR)


@rules.predicate
def is_viewer(user: Person, study: Study | None) -> bool:
    return _has_role(user, study, MemberRole.VIEWER)


def _has_role(user: Person, study: Study | None, role: MemberRole) -> bool:
    if study is None or not user.is_authenticated:
        return False
    return StudyMember.objects.filter(study=study, user=user, role=role).exists()


# Superusers are not named here: their `has_perm` is true before any rule is tried.
can_change = rules.is_active & (is_owner | is_editor)
can_view = can_change | (rules.is_active & is_viewer)

VIEW_STUDY = "studies.view_study"
CHANGE_STUDY = "studies.change_study"

rules.add_perm(VIEW_STUDY, can_view)
rules.add_perm(CHANGE_STUDY, can_change)

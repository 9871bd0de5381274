import pytest

from studies.access.audit import Actor
from studies.access.members import (
    CannotChangeMembers,
    add_member,
    change_role,
    list_members,
    remove_member,
)
from studies.enums import Interface, MemberRole
from studies.models import AuditEntry
from tests.factories.studies import NOW, make_member, make_study, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make_user("owner")


@pytest.fixture
def study(owner):
    return make_study(owner=owner)


@pytest.fixture
def acting(owner):
    return {"actor": Actor(owner, Interface.PAGE), "now": NOW}


def _list_members(study):
    return [(member.user.username, member.role) for member in list_members(study)]


def _list_entries():
    return list(AuditEntry.objects.order_by("pk").values_list("action", "actor_name", "details"))


def test_a_member_comes_changes_and_goes(study, acting):
    make_user("anna")

    member = add_member(study, username="anna", role=MemberRole.VIEWER, **acting)
    change_role(member, role=MemberRole.EDITOR, **acting)
    change_role(member, role=MemberRole.EDITOR, **acting)
    assert _list_members(study) == [("anna", "editor")]
    remove_member(member, **acting)

    assert _list_members(study) == []
    assert _list_entries() == [
        ("member_added", "owner", {"member": "anna", "role": "viewer"}),
        ("member_changed", "owner", {"member": "anna", "was": "viewer", "role": "editor"}),
        ("member_removed", "owner", {"member": "anna", "was": "editor"}),
    ]


@pytest.mark.parametrize(
    ("username", "message"),
    [
        ("nobody", "there is no account with the username 'nobody'"),
        ("dismissed", "there is no account with the username 'dismissed'"),
        ("owner", "owner owns the study and already has all permissions"),
        ("anna", "anna is already a member; change the role instead"),
    ],
)
def test_invalid_members_are_refused(study, acting, username, message):
    make_user("dismissed", is_active=False)
    make_member(study, make_user("anna"))

    with pytest.raises(CannotChangeMembers) as refused:
        add_member(study, username=username, role=MemberRole.EDITOR, **acting)

    assert str(refused.value) == message
    assert (_list_members(study), _list_entries()) == ([("anna", "viewer")], [])

"""Tests of deleting users, who leave their studies with an entry in the history."""

import pytest
from django.contrib.auth.models import Group, Permission, User

from studies.access.audit import Actor
from studies.access.tokens import make_token
from studies.enums import Interface, MemberRole
from studies.models import ApiToken, AuditEntry, StudyMember
from tests.factories.studies import NOW, make_member, make_study, make_user

LEFT = [
    ("one", "operator", "member_removed", {"member": "ann", "role": "viewer"}),
    ("two", "operator", "member_removed", {"member": "ann", "role": "editor"}),
]


@pytest.fixture
def ann(operator):
    user = make_user("ann")
    make_member(make_study("one"), user)
    make_member(make_study("two", owner=None), user, MemberRole.EDITOR)
    return user


def _list_lines():
    entries = AuditEntry.objects.order_by("pk")
    return list(entries.values_list("study_name", "actor_name", "action", "details"))


def test_deleting_a_user_is_written_into_each_study(operator, ann):
    operator.post(f"/admin/auth/user/{ann.pk}/delete/", {"post": "yes"})

    assert not User.objects.filter(pk=ann.pk).exists()
    assert _list_lines() == LEFT


def test_deleting_several_users_is_too(operator, ann):
    ben = make_user("ben")

    operator.post("/admin/auth/user/", {"action": "delete_selected", "_selected_action": [ann.pk, ben.pk], "post": "1"})

    assert not User.objects.filter(pk__in=[ann.pk, ben.pk]).exists()
    assert _list_lines() == LEFT


def test_who_cannot_be_deleted_stays_without_a_line(operator, ann):
    study = make_study("three", owner=ann)

    operator.post(f"/admin/auth/user/{ann.pk}/delete/", {"post": "yes"})
    study.owner = None
    study.save()
    make_token(study, name="script", role=MemberRole.VIEWER, actor=Actor(ann, Interface.PAGE), now=NOW)
    AuditEntry.objects.all().delete()
    operator.post(f"/admin/auth/user/{ann.pk}/delete/", {"post": "yes"})

    assert (StudyMember.objects.count(), ApiToken.objects.count(), User.objects.filter(pk=ann.pk).count()) == (2, 1, 1)
    assert _list_lines() == []


@pytest.fixture
def staff(client, db):
    """A browser of an operator who may do everything with accounts and groups, and is no superuser."""
    user = make_user("staff", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="auth"))
    client.force_login(user)
    return client


RIGHTS = {
    "is_staff": "on",
    "is_superuser": "on",
    "is_active": "on",
    "date_joined_0": "2025-01-01",
    "date_joined_1": "0:0",
}


@pytest.mark.parametrize("name", ["staff", "ann", "root", "other"])
def test_staff_give_nobody_rights(staff, name):
    for other, rights in (("ann", {}), ("root", {"is_superuser": True}), ("other", {"is_staff": True})):
        make_user(other, **rights)
    group, user = Group.objects.create(name="all"), User.objects.get(username=name)
    before = (user.is_staff, user.is_superuser, user.user_permissions.count(), user.groups.count())
    every = list(Permission.objects.values_list("pk", flat=True))
    given = {"username": name, "groups": [group.pk], "user_permissions": every, **RIGHTS}

    staff.post(f"/admin/auth/user/{user.pk}/change/", given)

    user.refresh_from_db()
    assert (user.is_staff, user.is_superuser, user.user_permissions.count(), user.groups.count()) == before


@pytest.mark.parametrize(("rights", "status"), [({}, 302), ({"is_superuser": True}, 403), ({"is_staff": True}, 403)])
def test_staff_set_no_password_of_staff_and_delete_none(staff, rights, status):
    user = make_user("ann", **rights)
    new = {"password1": "another-horse-7", "password2": "another-horse-7", "usable_password": "true"}

    assert staff.post(f"/admin/auth/user/{user.pk}/password/", new).status_code == status
    user.refresh_from_db()
    assert user.check_password("another-horse-7") == (status == 302)
    chosen = {"action": "delete_selected", "_selected_action": [user.pk], "post": "1"}
    staff.post("/admin/auth/user/", chosen)
    assert User.objects.filter(pk=user.pk).exists()
    assert staff.post(f"/admin/auth/user/{user.pk}/delete/", {"post": "yes"}).status_code == status


def test_staff_change_no_group(staff):
    group = Group.objects.create(name="all")
    given = {"name": "all", "permissions": list(Permission.objects.values_list("pk", flat=True))}

    statuses = [staff.post(f"/admin/auth/group/{place}/", given).status_code for place in (f"{group.pk}/change", "add")]

    assert (statuses, group.permissions.count(), Group.objects.count()) == ([403, 403], 0, 1)


def test_superusers_give_rights(operator):
    user = make_user("ann")

    operator.post(f"/admin/auth/user/{user.pk}/change/", {"username": "ann", **RIGHTS})

    user.refresh_from_db()
    assert (user.is_staff, user.is_superuser) == (True, True)

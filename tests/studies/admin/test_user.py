"""Who is deleted leaves studies, and each study's history says so."""

import pytest
from django.contrib.auth.models import User

from studies.domain.auditing import Actor
from studies.domain.tokens import make_token
from studies.enums import Door, MemberRole
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
    make_token(study, name="script", role=MemberRole.VIEWER, actor=Actor(ann, Door.PAGE), now=NOW)
    AuditEntry.objects.all().delete()
    operator.post(f"/admin/auth/user/{ann.pk}/delete/", {"post": "yes"})

    assert (StudyMember.objects.count(), ApiToken.objects.count(), User.objects.filter(pk=ann.pk).count()) == (2, 1, 1)
    assert _list_lines() == []

"""Tests of the page of members and tokens."""

import re

import pytest

from studies.access.tokens import find_token
from studies.enums import MemberRole
from studies.models import ApiToken, AuditEntry, StudyMember
from tests.factories.studies import NOW, make_member, make_study, make_user

PAGE = "/studies/study/people/"


@pytest.fixture
def study(owner):
    return make_study(owner=owner)


def test_owner_adds_changes_and_removes_a_member(researcher, study):
    make_user("anna")

    added = researcher.post(f"{PAGE}add/", {"username": "anna", "role": "viewer"}, follow=True)
    member = StudyMember.objects.get()
    assert "The member has been added." in added.content.decode()
    changed = researcher.post(f"{PAGE}{member.pk}/role/", {"role": "editor"}, follow=True)
    assert "The role has been changed." in changed.content.decode()
    assert StudyMember.objects.get().role == MemberRole.EDITOR
    removed = researcher.post(f"{PAGE}{member.pk}/remove/", follow=True)
    assert "anna is no longer a member." in removed.content.decode()

    assert StudyMember.objects.count() == 0
    interfaces = AuditEntry.objects.order_by("pk").values_list("action", "interface", "actor_name")
    assert list(interfaces) == [(f"member_{what}", "page", "owner") for what in ("added", "changed", "removed")]


def test_what_is_wrong_is_said_on_the_page(researcher, study):
    response = researcher.post(f"{PAGE}add/", {"username": "nobody", "role": "viewer"})

    assert response.status_code == 422
    assert "There is no account with the username &#x27;nobody&#x27;." in response.content.decode()
    assert researcher.post(f"{PAGE}tokens/", {"name": "", "role": "king"}).status_code == 422
    assert (StudyMember.objects.count(), ApiToken.objects.count()) == (0, 0)


def test_a_member_of_another_study_is_not_found_here(researcher, study, owner):
    elsewhere = make_member(make_study("elsewhere", owner=owner), make_user("anna"))

    assert researcher.post(f"{PAGE}{elsewhere.pk}/remove/").status_code == 404
    assert StudyMember.objects.count() == 1


def test_a_token_is_shown_once(researcher, study):
    response = researcher.post(f"{PAGE}tokens/", {"name": "notebook", "role": "analyst", "days": "30"})
    (secret,) = re.findall(r'value="(acc_[\w-]+)"', response.content.decode())
    again = researcher.get(PAGE).content.decode()

    token = ApiToken.objects.get()
    assert find_token(secret, now=NOW) == token
    assert (token.expires_at - token.made_at).days == 30
    assert "no-store" in response["Cache-Control"]
    assert secret not in again
    assert f"…{token.hint}" in again


def test_an_analyst_sees_own_tokens_only(client, study):
    analyst = make_user("analyst")
    make_member(study, analyst, MemberRole.ANALYST)
    for who, name in ((study.owner, "of the owner"), (analyst, "of mine")):
        fields = {"role": "viewer", "hint": "abcd", "made_by": who, "made_at": NOW, "expires_at": NOW}
        ApiToken.objects.create(study=study, name=name, digest=name, **fields)
    client.force_login(analyst)

    page = client.get(PAGE).content.decode()

    assert ("of mine" in page, "of the owner" in page) == (True, False)


def test_a_viewer_is_offered_nothing_to_change(client, study):
    viewer = make_user("viewer")
    make_member(study, viewer)
    client.force_login(viewer)

    page = client.get(PAGE).content.decode()

    assert re.findall(r'<form[^>]*action="([^"]+)"', page) == ["/logout/"]
    assert "viewer" in page


@pytest.mark.parametrize("n_members", [1, 3])
def test_queries_do_not_grow_with_members_or_tokens(researcher, study, n_members, django_assert_num_queries):
    for number in range(n_members):
        member = make_user(f"member-{number}")
        make_member(study, member)
        fields = {"role": "viewer", "hint": "abcd", "made_by": member, "made_at": NOW, "expires_at": NOW}
        ApiToken.objects.create(study=study, name="token", digest=f"{number}", **fields)

    with django_assert_num_queries(7):
        researcher.get(PAGE)

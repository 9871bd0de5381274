"""Tests of transfers: a study gets another owner only when that person accepts."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from studies.access.audit import COMMAND_LINE, Actor
from studies.access.members import CannotChangeMembers, list_members
from studies.access.offers import accept_offer, decline_offer, find_offer, list_offers, offer_study, withdraw_offer
from studies.enums import Interface, MemberRole
from studies.models import AuditEntry, Study, StudyOffer
from tests.factories.studies import NOW, make_member, make_study, make_user

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=1)


@pytest.fixture
def owner():
    return make_user("owner")


@pytest.fixture
def anna():
    return make_user("anna")


@pytest.fixture
def study(owner):
    return make_study(owner=owner)


def _offer(study, owner, username="anna", *, now=NOW):
    return offer_study(study, username=username, actor=Actor(owner, Interface.PAGE), now=now)


def _list_members(study):
    return [(member.user.username, member.role) for member in list_members(study)]


def _list_entries():
    return list(AuditEntry.objects.order_by("pk").values_list("action", "actor_name", "details"))


def test_nothing_changes_until_the_other_accepts(study, owner, anna):
    make_member(study, anna)

    offer = _offer(study, owner)

    assert (Study.objects.get().owner, _list_members(study)) == (owner, [("anna", "viewer")])
    assert list(list_offers(anna, now=NOW)) == [offer]
    assert list(list_offers(owner, now=NOW)) == []

    accept_offer(offer, actor=Actor(anna, Interface.API), now=LATER)

    assert (Study.objects.get().owner, _list_members(study)) == (anna, [("owner", MemberRole.EDITOR)])
    assert StudyOffer.objects.count() == 0
    assert _list_entries() == [
        ("owner_offered", "owner", {"to": "anna", "until": "2025-03-15"}),
        ("offer_accepted", "anna", {"was": "owner", "owner": "anna"}),
    ]


@pytest.mark.parametrize("what", ["declined", "withdrawn"])
def test_an_offer_is_declined_or_withdrawn(study, owner, anna, what):
    offer = _offer(study, owner)

    if what == "declined":
        decline_offer(offer, actor=Actor(anna, Interface.PAGE), now=LATER)
    else:
        withdraw_offer(study, actor=Actor(owner, Interface.PAGE), now=LATER)

    assert (Study.objects.get().owner, _list_members(study), StudyOffer.objects.count()) == (owner, [], 0)
    assert _list_entries()[1:] == [(f"offer_{what}", "anna" if what == "declined" else "owner", {"to": "anna"})]
    with pytest.raises(CannotChangeMembers, match="the offer does not exist"):
        accept_offer(offer, actor=Actor(anna, Interface.PAGE), now=LATER)
    assert Study.objects.get().owner == owner


@pytest.mark.parametrize("do", [accept_offer, decline_offer])
def test_nobody_else_answers_an_offer(study, owner, anna, do):
    offer = _offer(study, owner)

    for user in (owner, make_user("stranger"), None):
        with pytest.raises(CannotChangeMembers, match="the offer does not exist"):
            do(offer, actor=Actor(user, Interface.PAGE), now=NOW)

    assert (Study.objects.get().owner, StudyOffer.objects.count(), len(_list_entries())) == (owner, 1, 1)


def test_an_offer_expires_and_another_can_be_made(study, owner, anna, settings):
    settings.ACCORDANCE_OFFER_DAYS = 3
    offer = _offer(study, owner)
    end = NOW + timedelta(days=3)

    assert find_offer(study, now=end - timedelta(seconds=1)) == offer
    assert (find_offer(study, now=end), list(list_offers(anna, now=end))) == (None, [])
    for do in (accept_offer, decline_offer):
        with pytest.raises(CannotChangeMembers, match="the offer does not exist"):
            do(offer, actor=Actor(anna, Interface.PAGE), now=end)
    with pytest.raises(CannotChangeMembers, match="there is no open offer for the study"):
        withdraw_offer(study, actor=Actor(owner, Interface.PAGE), now=end)

    make_user("ben")
    _offer(study, owner, "ben", now=end)
    assert Study.objects.get().owner == owner
    assert StudyOffer.objects.get().offered_to.username == "ben"


def test_an_offer_ends_with_the_ownership_of_who_made_it(study, owner, anna):
    offer = _offer(study, owner)
    Study.objects.update(owner=make_user("next"))

    assert find_offer(study, now=NOW) is None
    with pytest.raises(CannotChangeMembers, match="the offer does not exist"):
        accept_offer(offer, actor=Actor(anna, Interface.PAGE), now=NOW)


def test_one_offer_at_a_time(study, owner, anna):
    offer = _offer(study, owner)
    ben = make_user("ben")

    with pytest.raises(CannotChangeMembers, match="has already been offered to anna; withdraw that offer first"):
        _offer(study, owner, "ben")
    with pytest.raises(IntegrityError), transaction.atomic():
        StudyOffer.objects.create(study=study, offered_to=ben, offered_by=owner, offered_at=NOW, expires_at=LATER)

    assert StudyOffer.objects.get() == offer
    assert len(_list_entries()) == 1


@pytest.mark.parametrize(
    ("username", "message"),
    [
        ("owner", "owner already owns the study"),
        ("nobody", "there is no account with the username 'nobody'"),
        ("dismissed", "there is no account with the username 'dismissed'"),
    ],
)
def test_offers_to_unsuitable_users_are_refused(study, owner, username, message):
    make_user("dismissed", is_active=False)

    with pytest.raises(CannotChangeMembers, match=message):
        _offer(study, owner, username)

    assert (_list_entries(), StudyOffer.objects.count()) == ([], 0)


def test_an_offer_needs_a_person(study, anna):
    with pytest.raises(ValueError, match="only a user can offer a study, got no user"):
        offer_study(study, username="anna", actor=COMMAND_LINE, now=NOW)


def test_a_superuser_offers_a_study_that_nobody_owns(anna):
    study = make_study("imported")

    offer = _offer(study, make_user("root", is_superuser=True))
    accept_offer(offer, actor=Actor(anna, Interface.PAGE), now=NOW)

    assert (Study.objects.get().owner, _list_members(study)) == (anna, [])

"""Tests that after reopening a closed account, none of its former credentials or links work."""

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user
from django.test import Client

from studies.access.audit import Actor
from studies.access.offers import find_offer, offer_study
from studies.access.sharing import find_shared, share_report
from studies.access.tokens import find_token, make_token
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.enums import Interface, MemberRole
from studies.models import AuditEntry, StudyMember
from studies.publishing.freezing import freeze_report
from tests.factories.studies import NOW, make_member, make_study, make_user
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db
ENDED = ["offer_withdrawn", "token_revoked", "unshared"]


@pytest.fixture
def ann():
    return make_user("ann")


@pytest.fixture
def find_interfaces(ann):
    """Let Ann make a token, a link and an offer, and log in in two browsers; return what tells which are good."""
    study, own = make_rated_study(), make_study("own", owner=ann)
    make_member(study, ann, MemberRole.ANALYST)
    make_user("ben")
    actor = Actor(ann, Interface.PAGE)
    report = freeze_report(study, report_observations(gather_observations(study)), now=NOW)
    token = make_token(study, name="script", role=MemberRole.VIEWER, actor=actor, now=NOW).secret
    link = share_report(report, actor=actor, now=NOW).token
    offer_study(own, username="ben", actor=actor, now=NOW)
    browsers = [Client(), Client()]
    for browser in browsers:
        browser.post("/login/", {"username": "ann", "password": "ann"})
    AuditEntry.objects.all().delete()

    def find() -> tuple[bool, ...]:
        found = (find_token(token, now=NOW), find_shared(link, now=NOW), find_offer(own, now=NOW))
        inside = (get_user(one).is_authenticated for one in browsers)
        return (*(one is not None for one in found), *inside)

    return find


def _set_active(user, is_active: bool) -> None:
    user.refresh_from_db()
    user.is_active = is_active
    user.save()


def test_nothing_of_before_comes_back_with_the_account(ann, find_interfaces):
    assert find_interfaces() == (True,) * 5

    _set_active(ann, False)
    _set_active(ann, True)

    assert find_interfaces() == (False,) * 5
    assert not UserSession.objects.filter(user=ann).exists()
    assert StudyMember.objects.filter(user=ann).exists()
    assert sorted(AuditEntry.objects.values_list("action", flat=True)) == ENDED


def test_operator_who_closes_an_account_stands_in_the_histories(client, ann, find_interfaces):
    client.force_login(make_user("operator", is_staff=True, is_superuser=True))
    address = f"/admin/auth/user/{ann.pk}/change/"
    joined = {"username": "ann", "date_joined_0": "2025-01-01", "date_joined_1": "0:0"}

    assert client.post(address, joined).status_code == 302
    assert client.post(address, {**joined, "is_active": "on"}).status_code == 302

    ann.refresh_from_db()
    assert (ann.is_active, find_interfaces()) == (True, (False,) * 5)
    entries = AuditEntry.objects.filter(action__in=ENDED).values_list("action", "actor_name", "interface")
    assert sorted(entries) == [(action, "operator", "page") for action in ENDED]


def test_other_changes_of_an_account_end_nothing(ann, find_interfaces):
    ann.refresh_from_db()
    ann.first_name = "Ann"
    ann.save()

    assert find_interfaces() == (True,) * 5

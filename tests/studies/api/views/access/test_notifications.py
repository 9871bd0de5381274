"""Tests of notifications by the API: listed, marked as read, and their settings, for each account alone."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from studies.access.audit import Actor, record_change
from studies.access.tokens import make_token
from studies.collaboration.comments import add_comment
from studies.enums import AuditAction, Interface, MemberRole
from studies.models import AccountWebhook, AuditEntry, NotificationSettings, StudyMember
from tests.factories.studies import NOW, make_member, make_user
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db
PAGE = "/api/v1/notifications/"
URL = "https://hooks.example.org/a-secret-path"


@pytest.fixture(autouse=True)
def _allowed(settings):
    settings.ACCORDANCE_WEBHOOK_HOSTS = ["hooks.example.org"]


@pytest.fixture
def colleague(study):
    colleague = make_user("colleague")
    make_member(study, colleague, MemberRole.VIEWER)
    return colleague


def put(client, address, data):
    return client.put(f"{PAGE}{address}", data, content_type="application/json")


def list_actions(client):
    return [(each["action"], each["is_read"]) for each in client.get(PAGE).json()["results"]]


def happen(study, colleague):
    """Let a run end, the design change, and two people comment."""
    owner, other = (Actor(each, Interface.PAGE) for each in (study.owner, colleague))
    record_change(study, actor=owner, action=AuditAction.RUN_ENDED, now=NOW, details={"run": 1})
    record_change(study, actor=owner, action=AuditAction.DESIGNED, now=NOW)
    for actor in (owner, other):
        add_comment(list_items(study)[0], text="Hm.", actor=actor, now=NOW)


def test_events_and_comments_of_others_are_listed_newest_first(api, client, study, colleague):
    happen(study, colleague)

    first, second = client.get(PAGE).json()["results"]
    assert (first["action"], first["actor"], first["study"]) == ("commented", "colleague", "study")
    assert (second["action"], second["details"]) == ("run_ended", {"run": 1})


def test_marked_as_read_up_to_one(api, client, study, colleague):
    happen(study, colleague)
    oldest = client.get(PAGE).json()["results"][-1]["id"]

    assert put(client, "read/", {"up_to": oldest}).json() == {"up_to": oldest}
    assert list_actions(client) == [("commented", False), ("run_ended", True)]
    put(client, "read/", {"up_to": 2**63 - 1})
    assert list_actions(client) == [("commented", True), ("run_ended", True)]
    # What happens later is unread.
    record_change(study, actor=Actor(None, Interface.SITE), action=AuditAction.FILLED, now=NOW)
    assert list_actions(client)[0] == ("filled", False)


def test_each_account_has_its_own_and_those_who_leave_have_none(api, client, study, colleague):
    happen(study, colleague)
    put(client, "read/", {"up_to": 2**63 - 1})
    client.force_login(colleague)
    assert list_actions(client) == [("commented", False), ("run_ended", False)]
    StudyMember.objects.all().delete()
    assert list_actions(client) == []
    client.force_login(make_user("stranger"))
    assert list_actions(client) == []
    client.logout()
    assert client.get(PAGE).status_code == 401


def test_mails_are_turned_on_and_off(api, client, study, settings):
    settings.HAS_MAIL = True
    EmailAddress.objects.create(user=study.owner, email="owner@example.org", verified=True, primary=True)

    shown = put(client, "settings/", {"wants_mail": True}).json()

    assert shown == {"wants_mail": True, "site_sends_mail": True, "address": "owner@example.org", "webhook": None}
    assert client.get(f"{PAGE}settings/").json() == shown
    kept = NotificationSettings.objects.get()
    assert (kept.wants_mail, kept.site) == (True, "http://testserver")
    entry = AuditEntry.objects.get(action="mails_switched")
    assert (entry.actor, entry.interface, entry.details) == (study.owner, "api", {"wants_mail": True})


def test_webhook_is_set_with_a_secret_shown_once_and_removed(api, client, study):
    made = put(client, "webhook/", {"url": URL})

    assert (made.status_code, made["Cache-Control"]) == (201, "no-store")
    assert made.json()["secret"].startswith("whsec_")
    shown = client.get(f"{PAGE}settings/").json()["webhook"]
    assert (shown["url"], shown["is_delivered"], "secret" in shown) == (URL, False, False)
    assert client.delete(f"{PAGE}webhook/").status_code == 204
    assert not AccountWebhook.objects.exists()


def test_refused_address_is_explained(api, client):
    refused = put(client, "webhook/", {"url": "http://hooks.example.org/"})

    assert refused.status_code == 400
    assert refused.json()["errors"] == [{"field": "url", "message": "the URL must begin with https://"}]


def test_token_of_a_study_is_refused(study):
    actor = Actor(study.owner, Interface.PAGE)
    secret = make_token(study, name="x", role=MemberRole.EDITOR, actor=actor, now=timezone.now()).secret
    program = Client(headers={"authorization": f"Bearer {secret}"})

    answers = [program.get(PAGE), program.get(f"{PAGE}settings/"), program.delete(f"{PAGE}webhook/")]
    answers += [put(program, "read/", {"up_to": 1}), put(program, "webhook/", {"url": URL})]
    assert [each.status_code for each in answers] == [403] * 5

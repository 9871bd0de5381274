"""Tests of the webhook of an account: signed, replaced, and silent once removed or the account is closed."""

import pytest

from studies.access.audit import COMMAND_LINE, Actor
from studies.collaboration.webhooks import queue_webhooks
from studies.enums import Interface
from studies.models import AccountWebhook, AuditEntry, StudyMember
from studies.webhooks.delivering import remove_webhook, set_webhook
from studies.webhooks.policy import WebhookRefused
from studies.webhooks.signing import sign
from tests.factories.studies import NOW, make_member, make_study, make_user
from tests.studies.collaboration.notified import SITE, ask_for_messages, read_messages
from tests.studies.webhooks.receiver import receive

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _allowed(settings):
    settings.ACCORDANCE_WEBHOOK_HOSTS, settings.ACCORDANCE_WEBHOOK_TESTING = ["127.0.0.1"], True


@pytest.fixture
def receiver():
    with receive() as receiver:
        yield receiver


@pytest.fixture
def user():
    return make_user("member")


@pytest.fixture
def study(user):
    study = make_study(owner=make_user("owner"))
    make_member(study, user)
    return study


def queue(user, study):
    people = type(user).objects.filter(pk=user.pk)
    told = {"page": "/studies/study/", "data": {"study": "study"}}
    queue_webhooks(people, study, event="study.filled", key="x", now=NOW, **told)


def test_message_is_signed_with_the_secret(receiver, user, study):
    secret = ask_for_messages(user, receiver)
    queue(user, study)

    (message,) = read_messages(receiver)
    assert message["data"] == {"study": "study", "page": "https://site.example/studies/study/"}
    *_, headers, body = receiver.received[0]
    given = {name: value for name, value in headers.items() if name.startswith("webhook-")}
    assert given == sign(body, secret=secret, message=headers["webhook-id"], now=NOW)
    assert AccountWebhook.objects.get().is_delivered


@pytest.mark.parametrize("change", ["removed", "closed", "left"])
def test_message_that_waits_is_not_sent_to_a_webhook_that_is_gone(receiver, user, study, change):
    ask_for_messages(user, receiver)
    queue(user, study)
    if change == "removed":
        remove_webhook(AccountWebhook, user=user, actor=COMMAND_LINE, now=NOW)
    elif change == "left":
        StudyMember.objects.all().delete()
    else:
        user.is_active = False
        user.save()

    assert read_messages(receiver) == []


def test_new_webhook_replaces_the_old_one(receiver, user):
    assert ask_for_messages(user, receiver) != set_webhook(
        AccountWebhook, user=user, url=f"{receiver.url}/new", site=SITE, actor=COMMAND_LINE, now=NOW
    )

    assert AccountWebhook.objects.get().url == f"{receiver.url}/new"


def test_setting_and_removing_are_in_the_audit_log_without_the_path(receiver, user):
    ask_for_messages(user, receiver)
    actor = Actor(user, Interface.API)
    assert remove_webhook(AccountWebhook, user=user, actor=actor, now=NOW)
    assert not remove_webhook(AccountWebhook, user=user, actor=actor, now=NOW)

    entries = AuditEntry.objects.order_by("pk").values_list("action", "actor_name", "interface", "details")
    of_account = {"what": "account webhook"}
    assert list(entries) == [
        ("webhook_set", user.username, "page", {**of_account, "host": "127.0.0.1"}),
        ("webhook_removed", user.username, "api", of_account),
    ]


def test_host_that_is_not_allowed_is_refused():
    with pytest.raises(WebhookRefused, match=r"does not allow webhooks to 192\.0\.2\.1"):
        set_webhook(AccountWebhook, user=make_user(), url="https://192.0.2.1/", site=SITE, actor=COMMAND_LINE, now=NOW)

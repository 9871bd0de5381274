"""Tests of the page of notifications: mails and a webhook of one's own account."""

import pytest
from allauth.account.models import EmailAddress

from studies.models import AccountWebhook, NotificationSettings
from studies.webhooks.signing import PREFIX
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db
PAGE = "/account/notifications/"
URL = "https://hooks.example.org/a-secret-path"


@pytest.fixture(autouse=True)
def _allowed(settings):
    settings.HAS_MAIL = True
    settings.ACCORDANCE_WEBHOOK_HOSTS = ["hooks.example.org"]


@pytest.fixture
def user(client):
    user = make_user()
    EmailAddress.objects.create(user=user, email="owner@example.org", verified=True, primary=True)
    client.force_login(user)
    return user


def test_mails_are_turned_on_and_off(client, user):
    assert "Mails are off." in client.get(PAGE).content.decode()
    client.post(f"{PAGE}mail/", {"wants": "yes"})
    kept = NotificationSettings.objects.get()
    assert (kept.user, kept.wants_mail, kept.site) == (user, True, "http://testserver")
    assert "owner@example.org" in client.get(PAGE).content.decode()
    client.post(f"{PAGE}mail/", {"wants": "no"})

    assert not NotificationSettings.objects.get().wants_mail
    assert "Mails are off." in client.get(PAGE).content.decode()


def test_account_without_a_confirmed_address_is_told_to_add_one(client, user):
    EmailAddress.objects.update(verified=False)

    assert "Add and confirm an e-mail address" in client.get(PAGE).content.decode()


def test_site_without_mail_says_so(client, user, settings):
    settings.HAS_MAIL = False

    assert "This site sends no mail." in client.get(PAGE).content.decode()


def test_webhook_is_set_with_a_secret_shown_once_and_removed(client, user):
    saved = client.post(f"{PAGE}webhook/", {"url": URL})

    assert (saved.status_code, saved["Cache-Control"].count("no-store")) == (201, 1)
    secret = saved.context["webhook_secret"]
    assert secret.startswith(PREFIX)
    webhook = AccountWebhook.objects.get()
    assert (webhook.url, webhook.site, webhook.user) == (URL, "http://testserver", user)
    again = client.get(PAGE).content.decode()
    assert (URL in again, PREFIX in again) == (True, False)
    client.post(f"{PAGE}webhook/remove/")
    assert not AccountWebhook.objects.exists()


def test_refused_address_is_explained(client, user):
    refused = client.post(f"{PAGE}webhook/", {"url": "http://hooks.example.org/"})

    assert refused.status_code == 422
    assert "The URL must begin with https://." in refused.content.decode()


def test_nobody_else_sees_or_changes_them(client, user):
    client.post(f"{PAGE}webhook/", {"url": URL})
    client.post(f"{PAGE}mail/", {"wants": "yes"})
    for stranger in (make_user("stranger"), make_user("operator", is_superuser=True)):
        client.force_login(stranger)
        client.post(f"{PAGE}webhook/remove/")
        client.post(f"{PAGE}mail/", {"wants": "no"})
        assert "a-secret-path" not in client.get(PAGE).content.decode()

    assert AccountWebhook.objects.count() == 1
    assert NotificationSettings.objects.get(user=user).wants_mail

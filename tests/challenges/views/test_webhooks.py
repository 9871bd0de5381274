"""Tests of the webhook of a member: set and removed on the page of the team, and seen by its owner only."""

import pytest
from django.utils import timezone

from challenges.models import TeamMember, TeamWebhook
from studies.webhooks.signing import PREFIX
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db
TEAM = "/challenges/captions/team/"
URL = "https://hooks.example.org/a-secret-path"


@pytest.fixture(autouse=True)
def _allowed(settings):
    settings.ACCORDANCE_WEBHOOK_HOSTS = ["hooks.example.org"]


@pytest.fixture
def member(client, arena):
    client.force_login(arena.people["member"])
    return client


def test_a_webhook_is_set_with_a_secret_shown_once_and_removed(member, arena):
    saved = member.post(f"{TEAM}webhook/", {"url": URL})
    webhook = TeamWebhook.objects.get()

    assert (saved.status_code, saved["Cache-Control"].count("no-store")) == (201, 1)
    secret = saved.context["webhook_secret"]
    assert secret.startswith(PREFIX)
    assert secret in saved.content.decode()
    assert (webhook.url, webhook.site, webhook.member.user) == (URL, "http://testserver", arena.people["member"])
    again = member.get(TEAM).content.decode()
    assert (URL in again, PREFIX in again, "none yet" in again) == (True, False, True)

    member.post(f"{TEAM}webhook/remove/")
    assert not TeamWebhook.objects.exists()
    assert URL not in member.get(TEAM).content.decode()


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "This field is required."),
        ("http://hooks.example.org/", "The URL must begin with https://."),
        ("https://127.0.0.1/", "does not allow webhooks to 127.0.0.1"),
        ("https://hooks.example.org:22/", "The port must be one of 443, got 22."),
    ],
)
def test_a_refused_url_is_explained_and_stores_nothing(member, url, problem):
    refused = member.post(f"{TEAM}webhook/", {"url": url})

    assert refused.status_code == 422
    assert problem in refused.content.decode()
    assert not TeamWebhook.objects.exists()


def test_nobody_else_sees_or_removes_it(member, client, arena):
    colleague = make_user("colleague")
    TeamMember.objects.create(team=arena.team, challenge=arena.challenge, user=colleague, joined_at=timezone.now())
    member.post(f"{TEAM}webhook/", {"url": URL})
    for user in (colleague, *(arena.people[name] for name in ("rival", "owner", "cohost", "stranger", "superuser"))):
        client.force_login(user)
        client.post(f"{TEAM}webhook/remove/")
        pages = [TEAM, "/challenges/captions/host/", "/challenges/captions/"]
        assert not [page for page in pages if "a-secret-path" in client.get(page).content.decode()]
    assert TeamWebhook.objects.count() == 1


def test_the_last_outcome_is_shown(member):
    member.post(f"{TEAM}webhook/", {"url": URL})
    outcome = "not delivered: the host answered with status 503"
    TeamWebhook.objects.update(last_tried_at=timezone.now(), last_outcome=outcome)

    assert outcome.capitalize() in member.get(TEAM).content.decode()


def test_without_the_setting_there_is_no_form(member, settings):
    settings.ACCORDANCE_WEBHOOK_HOSTS = []

    assert "webhook" not in member.get(TEAM).content.decode().lower()
    assert member.post(f"{TEAM}webhook/", {"url": URL}).status_code == 422
    assert not TeamWebhook.objects.exists()

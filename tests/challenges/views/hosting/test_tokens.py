"""Tests of the page of tokens for hosting."""

import re

import pytest

from challenges.models import HostToken
from studies.models import AuditEntry

pytestmark = pytest.mark.django_db
PAGE = "/hosting-tokens/"


def test_a_secret_is_shown_once_and_the_token_is_revoked(client, arena):
    client.force_login(arena.people["owner"])

    made = client.post(PAGE, {"name": "planner", "days": "7"})
    secret = re.search(r'value="(acc_[^"]+)"', made.content.decode())[1]
    page = client.get(PAGE).content.decode()
    token = HostToken.objects.get()
    revoked = client.post(f"{PAGE}{token.pk}/revoke/", follow=True).content.decode()

    assert (made.status_code, token.made_by, (token.expires_at - token.made_at).days) == (201, arena.people["owner"], 7)
    assert "planner" in page
    assert secret not in page
    assert "The token has been revoked." in revoked
    token.refresh_from_db()
    assert token.revoked_at is not None
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == ["token_made", "token_revoked"]


def test_errors_are_told(client, arena):
    client.force_login(arena.people["owner"])

    refused = client.post(PAGE, {"name": "", "days": "7"})

    assert (refused.status_code, "This field is required." in refused.content.decode()) == (422, True)
    assert not HostToken.objects.exists()

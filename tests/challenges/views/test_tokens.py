"""Tests of the tokens on the page of a team."""

import re

import pytest

from challenges.models import TeamToken
from challenges.taking_part.tokens import make_team_token
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
TEAM = "/challenges/captions/team/"


def test_a_secret_is_shown_once(client, arena):
    client.force_login(arena.people["member"])

    made = client.post(f"{TEAM}tokens/", {"name": "training", "days": "7"})
    secret = re.search(r'value="(acc_[^"]+)"', made.content.decode())[1]

    token = TeamToken.objects.get()
    assert (token.team, token.name, (token.expires_at - token.made_at).days) == (arena.team, "training", 7)
    page = client.get(TEAM).content.decode()
    assert "training" in page
    assert secret not in page


def test_errors_are_told(client, arena):
    client.force_login(arena.people["member"])

    refused = client.post(f"{TEAM}tokens/", {"name": "", "days": "100000"})

    assert refused.status_code == 422
    assert "This field is required." in refused.content.decode()
    assert not TeamToken.objects.exists()


def test_a_token_is_revoked_by_its_maker(client, arena):
    token, _ = make_team_token(arena.team, name="script", by=arena.people["member"], now=NOW)
    client.force_login(arena.people["rival"])
    assert client.post(f"{TEAM}tokens/{token.pk}/revoke/").status_code == 404
    client.force_login(arena.people["member"])
    client.post(f"{TEAM}tokens/{token.pk}/revoke/")

    assert TeamToken.objects.get().revoked_at is not None

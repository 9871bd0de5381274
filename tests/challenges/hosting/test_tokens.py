"""Tests of tokens for hosting: found by a secret that is not stored, and valid as long as the account is open."""

from datetime import timedelta

import pytest

from challenges.errors import ChallengeRefused
from challenges.hosting.tokens import find_host_token, make_host_token, revoke_host_token
from challenges.models import HostToken
from challenges.taking_part.tokens import find_team_token, make_team_token
from challenges.token_limit import MOST_TOKENS
from studies.access.audit import Actor
from studies.access.token_secrets import PREFIX
from studies.enums import Interface
from studies.models import AuditEntry
from tests.challenges.challenges import make_challenge, make_team
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def actor():
    return Actor(make_user("host"), Interface.PAGE)


def make(actor, **extra):
    return make_host_token(name="planner", actor=actor, now=NOW, **extra)


def test_a_token_is_found_by_its_secret_which_is_not_kept(actor):
    token, secret = make(actor)

    found = find_host_token(secret, now=LATER)

    assert (found, found.made_by, found.last_used_at) == (token, actor.user, LATER)
    kept = [str(value) for row in HostToken.objects.values_list() for value in row]
    assert [value for value in kept if secret[len(PREFIX) :] in value] == []


def test_tokens_of_teams_and_hosts_are_apart(actor):
    team = make_team(make_challenge())
    _, of_team = make_team_token(team, name="script", by=team.members.get().user, now=NOW)
    _, of_host = make(actor)

    assert find_host_token(of_team, now=NOW) is None
    assert find_team_token(of_host, now=NOW) is None


@pytest.mark.parametrize("end", ["revoked", "expired", "closed"])
def test_a_token_ends(actor, end):
    token, secret = make(actor, days=1)
    if end == "revoked":
        revoke_host_token(token, actor=actor, now=NOW)
        revoke_host_token(token, actor=actor, now=LATER)
    elif end == "closed":
        actor.user.is_active = False
        actor.user.save()

    assert find_host_token(secret, now=NOW + timedelta(days=1) if end == "expired" else LATER) is None
    actions = list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions.count("token_revoked") == (end == "revoked")


def test_the_number_of_valid_tokens_has_a_limit(actor):
    for _ in range(MOST_TOKENS):
        make(actor)

    with pytest.raises(ChallengeRefused, match="20 valid tokens"):
        make(actor)

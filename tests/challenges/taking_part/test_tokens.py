"""Tests of tokens of teams: found by a secret that is not stored, and valid as long as their maker is in the team."""

from datetime import timedelta

import pytest

from challenges.errors import ChallengeRefused
from challenges.models import TeamMember, TeamToken
from challenges.taking_part.tokens import find_team_token, make_team_token, revoke_team_token
from challenges.token_limit import MOST_TOKENS
from studies.access.terms import DaysRefused
from studies.access.token_secrets import PREFIX
from tests.challenges.challenges import make_challenge, make_team
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def team():
    return make_team(make_challenge())


def make(team, *, now=NOW, **extra):
    return make_team_token(team, name="script", by=team.members.get().user, now=now, **extra)


def test_a_token_is_found_by_its_secret_which_is_not_kept(team):
    token, secret = make(team)

    found = find_team_token(secret, now=LATER)

    assert (found, found.team, found.last_used_at) == (token, team, LATER)
    kept = [str(value) for row in TeamToken.objects.values_list() for value in row]
    assert [value for value in kept if secret[len(PREFIX) :] in value] == []
    assert secret.endswith(token.hint)


@pytest.mark.parametrize("secret", ["", "acc_", "acc_nobody", "\0", "ä" * 1000])
def test_an_unknown_secret_finds_nothing(team, secret):
    make(team)

    assert find_team_token(secret, now=NOW) is None


def test_a_token_ends(team):
    revoked, secret = make(team)
    _, expired = make(team, days=1)
    revoke_team_token(revoked, now=LATER)
    revoke_team_token(revoked, now=LATER + timedelta(hours=1))

    assert find_team_token(secret, now=LATER) is None
    assert TeamToken.objects.get(pk=revoked.pk).revoked_at == LATER
    assert find_team_token(expired, now=NOW + timedelta(days=1)) is None
    with pytest.raises(DaysRefused):
        make(team, days=0)


@pytest.mark.parametrize("leaving", ["team", "account"])
def test_a_token_ends_with_the_membership_of_its_maker(team, leaving):
    _, secret = make(team)
    if leaving == "team":
        TeamMember.objects.all().delete()
    else:
        user = team.members.get().user
        user.is_active = False
        user.save()

    assert find_team_token(secret, now=LATER) is None


def test_a_use_is_stored_once_a_minute(team):
    _, secret = make(team)
    for seconds in (0, 30, 90):
        find_team_token(secret, now=NOW + timedelta(seconds=seconds))

    assert TeamToken.objects.get().last_used_at == NOW + timedelta(seconds=90)


def test_the_number_of_valid_tokens_has_a_limit(team):
    first, _ = make(team)
    for _ in range(MOST_TOKENS - 1):
        make(team)
    with pytest.raises(ChallengeRefused, match="20 valid tokens"):
        make(team)
    revoke_team_token(first, now=NOW)
    make(team)

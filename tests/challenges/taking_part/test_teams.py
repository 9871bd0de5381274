"""Tests of teams: accepted terms, invitations that one person uses, one team a person."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from challenges.errors import ChallengeRefused
from challenges.models import TeamInvitation
from challenges.taking_part.teams import INVITATION_LASTS, find_team, invite_member, join_team, make_team
from challenges.taking_part.terms import accept_terms, has_accepted
from tests.challenges.challenges import make_challenge
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db


def test_terms_are_accepted_before_a_team_is_made_and_again_when_changed():
    challenge, user = make_challenge(terms="Be fair."), make_user("one")
    with pytest.raises(ChallengeRefused, match="accept the terms"):
        make_team(challenge, user=user, name="Us", now=NOW)
    for _ in range(2):
        accept_terms(challenge, user=user, now=NOW)
    team = make_team(challenge, user=user, name=" Us ", now=NOW)

    assert (team.name, find_team(challenge, user=user)) == ("Us", team)
    assert find_team(challenge, user=AnonymousUser()) is None
    challenge.terms = "Be fairer."
    assert not has_accepted(challenge, user=user)


def test_an_invitation_is_for_one_person_and_ends():
    challenge, user = make_challenge(team_size=3), make_user("one")
    team = make_team(challenge, user=user, name="Us", now=NOW)
    token = invite_member(team, by=user, now=NOW)
    assert token not in str(TeamInvitation.objects.values())

    with pytest.raises(ChallengeRefused, match="in a team of this challenge already"):
        join_team(token, user=user, now=NOW)
    with pytest.raises(ChallengeRefused, match="expired"):
        join_team(token, user=make_user("late"), now=NOW + INVITATION_LASTS)
    second = make_user("two")
    assert join_team(token, user=second, now=NOW + timedelta(days=1)) == team == find_team(challenge, user=second)
    with pytest.raises(ChallengeRefused, match="used"):
        join_team(token, user=make_user("three"), now=NOW + timedelta(days=1))


def test_a_full_team_and_a_name_that_is_taken_are_refused():
    challenge, user = make_challenge(team_size=1), make_user("one")
    team = make_team(challenge, user=user, name="Us", now=NOW)
    with pytest.raises(ChallengeRefused, match="the team is full"):
        invite_member(team, by=user, now=NOW)
    with pytest.raises(ChallengeRefused, match="already a team with the name 'Us'"):
        make_team(challenge, user=make_user("two"), name="Us", now=NOW)
    with pytest.raises(ChallengeRefused, match="needs a name"):
        make_team(challenge, user=make_user("three"), name=" ", now=NOW)


def test_a_challenge_has_room_for_so_many_teams():
    challenge = make_challenge(most_teams=1)
    make_team(challenge, user=make_user("one"), name="Us", now=NOW)

    with pytest.raises(ChallengeRefused, match="already has 1 teams, which is the maximum"):
        make_team(challenge, user=make_user("two"), name="Others", now=NOW)


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_nobody_joins_a_challenge_that_is_not_open(state):
    with pytest.raises(ChallengeRefused, match="not open"):
        make_team(make_challenge(state=state), user=make_user("one"), name="Us", now=NOW)

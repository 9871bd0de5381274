"""Tests of joining a challenge, and of teams and their invitations."""

import re

import pytest
from django.utils import timezone

from challenges.models import Team, TeamInvitation, TeamMember, TermsAcceptance
from challenges.taking_part.teams import invite_member
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db
JOIN, TEAM = "/challenges/captions/join/", "/challenges/captions/team/"


@pytest.fixture
def stranger(client, arena):
    """A browser in which somebody without a team is logged in."""
    client.force_login(arena.people["stranger"])
    return client


def test_a_team_is_made_once_the_terms_are_accepted(stranger, arena):
    page = stranger.get(JOIN).content.decode()
    refused = stranger.post(JOIN, {"name": "Puma"})
    made = stranger.post(JOIN, {"name": "Puma", "affiliation": "A university", "accept": "on"})

    assert "Use no data of the test images." in page
    assert (refused.status_code, "Accept the terms to take part." in refused.content.decode()) == (422, True)
    assert (made.status_code, made.url) == (302, TEAM)
    team = Team.objects.get(name="Puma")
    assert (team.affiliation, team.members.get().user.username) == ("A university", "stranger")
    assert TermsAcceptance.objects.get().user.username == "stranger"
    # Who is in a team cannot make another.
    assert stranger.get(JOIN).url == stranger.post(JOIN, {"name": "Second", "accept": "on"}).url == TEAM


def test_a_name_that_is_taken_accepts_no_terms(stranger, arena):
    refused = stranger.post(JOIN, {"name": "Lynx", "accept": "on"})

    assert refused.status_code == 422
    assert "There is already a team with the name &#x27;Lynx&#x27;" in refused.content.decode()
    assert not TermsAcceptance.objects.exists()


def test_nobody_joins_a_challenge_that_is_closed(stranger, arena):
    arena.challenge.state = "closed"
    arena.challenge.save()

    assert b"nobody can join it" in stranger.get(JOIN).content
    refused = stranger.post(JOIN, {"name": "Puma", "accept": "on"})
    assert refused.status_code == 422
    assert not Team.objects.filter(name="Puma").exists()


def test_an_invitation_lets_one_person_join(client, arena):
    client.force_login(arena.people["member"])
    shown = client.post(f"{TEAM}invite/")
    link = re.search(r'value="http://testserver(/team-invitations/[^"]+)"', shown.content.decode())[1]
    assert "no-store" in shown["Cache-Control"]
    assert link not in client.get(TEAM).content.decode()

    client.force_login(arena.people["stranger"])
    assert b"Lynx" in client.get(link).content
    assert client.post(link).status_code == 422
    joined = client.post(link, {"accept": "on"})
    assert (joined.status_code, joined.url) == (302, TEAM)
    assert arena.team.members.count() == 2
    assert b"member-of-Lynx" in client.get(TEAM).content

    client.force_login(make_user("late"))
    assert client.get(link).status_code == client.post(link, {"accept": "on"}).status_code == 404


def test_who_is_in_a_team_cannot_use_an_invitation(client, arena):
    token = invite_member(arena.team, by=arena.people["member"], now=timezone.now())
    client.force_login(arena.people["rival"])

    refused = client.post(f"/team-invitations/{token}/", {"accept": "on"})

    assert refused.status_code == 422
    assert b"You are in a team of this challenge already." in refused.content
    assert TeamInvitation.objects.get().used_at is None


def test_a_full_team_invites_nobody(client, arena):
    arena.challenge.team_size = 1
    arena.challenge.save()
    client.force_login(arena.people["member"])

    assert b"The team is full." in client.get(TEAM).content
    refused = client.post(f"{TEAM}invite/", follow=True)
    assert b"The team is full: it may have 1 members." in refused.content
    assert not TeamInvitation.objects.exists()


def test_the_page_of_a_team_lists_its_own_submissions(client, arena):
    client.force_login(arena.people["member"])

    page = client.get(TEAM).content.decode()

    assert arena.scored.token in page
    assert arena.others_scored.token not in page
    assert TeamMember.objects.filter(team=arena.team).count() == 1


def test_a_member_turns_mails_on_and_off(client, arena, settings):
    client.force_login(arena.people["member"])
    assert b"Send me these e-mails" not in client.get("/challenges/captions/team/").content
    settings.HAS_MAIL = True

    turned_on = client.post("/challenges/captions/team/mail/", {"wants": "yes"}, follow=True).content.decode()
    wants = list(arena.team.members.values_list("wants_mail", flat=True))
    turned_off = client.post("/challenges/captions/team/mail/", {"wants": "no"}, follow=True).content.decode()

    assert wants == [True]
    assert "Stop these e-mails" in turned_on
    assert "Send me these e-mails" in turned_off
    assert not arena.other_team.members.filter(wants_mail=True).exists()

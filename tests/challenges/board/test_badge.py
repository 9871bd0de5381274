"""Tests of the badge of a team: what it says, who sees it, and how long it may be kept."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from challenges.board.badge import KEPT
from challenges.board.ranking import compute_board
from challenges.models import Challenge, Phase, Submission
from tests.studies.views.test_headers import find_lacking

pytestmark = pytest.mark.django_db
ROOT = "/challenges/captions/phases/test/"


def ask(client, team, **headers):
    return client.get(f"{ROOT}teams/{team.pk}/badge.svg", headers=headers)


def test_it_says_rank_and_score_of_each_team(client, arena):
    Challenge.objects.update(title="<Captions> & more")
    entries = {each.team: each for each in compute_board(arena.phase).entries}

    for team in (arena.team, arena.other_team):
        response = ask(client, team)
        label = re.search('aria-label="([^"]*)"', response.content.decode())[1]
        entry = entries[team.name]
        assert unescape(label) == (f"<Captions> & more, Test: #{entry.rank} · cider-d (c2) {entry.values[0]:.3f}")
        assert response["Content-Type"] == "image/svg+xml"


def test_it_may_be_kept_and_is_the_same_for_everybody(client, arena):
    first = ask(client, arena.team)
    client.force_login(arena.people["owner"])
    hosts = ask(client, arena.team)
    again = ask(client, arena.team, **{"if-none-match": first["ETag"]})

    assert (first.content, first["Cache-Control"]) == (hosts.content, "public, max-age=300")
    assert "cookie" not in first.get("Vary", "").lower()
    assert (again.status_code, again.content, again["Cache-Control"]) == (304, b"", "public, max-age=300")
    assert find_lacking(first) == {}
    assert not re.search(r"<script|style=|href", first.content.decode())


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (Phase, {"visibility": "participant"}),
        (Phase, {"visibility": "after_end"}),
        (Challenge, {"is_anonymous": True}),
        (Challenge, {"state": "draft"}),
    ],
)
def test_nobody_sees_it_while_the_board_or_names_are_hidden(client, arena, model, change):
    assert ask(client, arena.team).status_code == 200
    model.objects.update(**change)

    for person in ("member", "owner", "anonymous"):
        client.logout()
        if person != "anonymous":
            client.force_login(arena.people[person])
        assert ask(client, arena.team).status_code == 404


def test_a_team_without_an_entry_has_none(client, arena):
    Submission.objects.filter(team=arena.team).update(is_hidden=True)

    assert ask(client, arena.team).status_code == 404
    assert client.get(f"{ROOT}teams/999999/badge.svg").status_code == 404


def test_it_follows_the_board_after_a_minute(client, arena, monkeypatch):
    leader = next(each.team for each in compute_board(arena.phase).entries if each.rank == 1)
    second = arena.team if leader == arena.other_team.name else arena.other_team
    assert "#2" in ask(client, second).content.decode()
    Submission.objects.filter(team__name=leader).update(disqualified_because="It copied.")

    soon = ask(client, second).content.decode()
    later = timezone.now() + KEPT + timedelta(seconds=30)
    monkeypatch.setattr(timezone, "now", lambda: later)
    after = ask(client, second).content.decode()

    assert ("#2" in soon, "#1" in after) == (True, True)


def test_the_page_of_the_team_has_the_markdown(client, arena):
    page = client.get(f"{ROOT}teams/{arena.team.pk}/history/").content.decode()
    Challenge.objects.update(is_anonymous=True)
    client.force_login(arena.people["member"])
    hidden = client.get(f"{ROOT}teams/{arena.team.pk}/history/").content.decode()

    address = f"http://testserver{ROOT}teams/{arena.team.pk}/badge.svg"
    assert f"[![Lynx in Captions]({address})](http://testserver{ROOT}leaderboard/)" in page
    assert "badge.svg" not in hidden

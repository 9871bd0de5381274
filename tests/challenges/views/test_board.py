"""Tests of leaderboards: order, reference sets side by side, files, and whose names are seen."""

import csv
import re

import pytest
from django.utils import timezone

from challenges.board.freezing import freeze_board
from challenges.models import Challenge, Phase
from tests.challenges.challenges import make_team, score_all, submit, write_results

pytestmark = pytest.mark.django_db
BOARD = "/challenges/captions/phases/test/leaderboard/"


def read_rows(page):
    """Return rank and team of each row of the body of a board."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    rank, team = r'<td class="number">([^<]*)<', r'<th scope="row">(?:<a [^>]*>)?([^<]*?)\s*<'
    return [(re.search(rank, row)[1], re.search(team, row)[1]) for row in body.split("<tr")[1:]]


def find_best(arena, metric, references):
    values = {
        each.team.name: each.scores.get(metric=metric, references=references).value
        for each in (arena.scored, arena.others_scored)
    }
    return max(values, key=values.get)


@pytest.mark.parametrize(("metric", "references"), [("cider-d", "c2"), ("rouge-l", "c3"), ("bleu-4", "c2")])
def test_any_column_ranks(client, arena, metric, references):
    page = client.get(BOARD, {"order": f"{metric}:{references}"}).content.decode()

    ranks = read_rows(page)

    assert {rank for rank, _ in ranks} <= {"1", "2"}
    assert (ranks[0][0], f"ranked by {metric} with {references}" in page) == ("1", True)
    assert "1" in {rank for rank, team in ranks if team == find_best(arena, metric, references)}


def test_sets_of_references_stand_side_by_side(client, arena):
    page = client.get(BOARD).content.decode()

    heads = re.findall(r'<th scope="colgroup" colspan="(\d)">([^<]+)', page)
    columns = re.findall(r'href="\?order=([^"#]+)#board"', page)
    assert heads == [("2", "cider-d"), ("2", "rouge-l"), ("2", "bleu-4")]
    assert columns[:3] == ["cider-d%3Ac2", "cider-d%3Ac3", "rouge-l%3Ac2"]
    assert page.count("aria-sort") == 1


def test_an_unknown_column_is_the_first_one(client, arena):
    assert "ranked by cider-d with c2" in client.get(BOARD, {"order": "nothing"}).content.decode()


def test_ones_own_team_is_marked(client, arena):
    assert b"your team" not in client.get(BOARD).content
    client.force_login(arena.people["member"])
    assert client.get(BOARD).content.decode().count("your team") == 1


def test_files_have_the_same_numbers(client, arena):
    lines = list(csv.DictReader(b"".join(client.get(f"{BOARD[:-1]}.csv").streaming_content).decode().splitlines()))
    latex = b"".join(client.get(f"{BOARD[:-1]}.tex").streaming_content).decode()

    assert {line["team"] for line in lines} == {"Lynx", "Ibex"}
    value = round(arena.scored.scores.get(metric="rouge-l", references="c2").value, 3)
    assert float(next(line for line in lines if line["team"] == "Lynx")["rouge-l (c2)"]) == value
    assert f"{value:.3f}" in latex
    assert client.get(f"{BOARD[:-1]}.docx").status_code == 404


def test_names_are_hidden_until_they_are_published(client, arena):
    Challenge.objects.update(is_anonymous=True)

    def show():
        page = client.get(BOARD).content.decode()
        file = b"".join(client.get(f"{BOARD[:-1]}.csv").streaming_content).decode()
        return {name for name in ("Lynx", "Ibex") if name in page.partition("<tbody>")[2] or name in file}

    anonymous = show()
    client.force_login(arena.people["member"])
    members = show()
    client.force_login(arena.people["owner"])
    hosts = show()
    Challenge.objects.update(published_at=timezone.now())
    client.logout()

    assert (anonymous, members, hosts, show()) == (set(), set(), {"Lynx", "Ibex"}, {"Lynx", "Ibex"})


def test_a_final_board_keeps_its_entries_and_can_be_ordered(client, arena):
    Phase.objects.filter(slug="test").update(closes_at=timezone.now())
    digest = freeze_board(Phase.objects.get(slug="test"), now=timezone.now())
    arena.scored.delete()

    page = client.get(BOARD, {"order": "rouge-l:c3"}).content.decode()

    assert {team for _, team in read_rows(page)} == {"Lynx", "Ibex"}
    assert digest in page
    assert "ranked by rouge-l with c3" in page


def test_a_board_without_entries(client, arena):
    Phase.objects.filter(slug="over").update(visibility="after_end")

    assert b"No submission has been scored yet." in client.get(BOARD.replace("test", "over")).content


@pytest.mark.parametrize(
    ("visibility", "is_over", "answer"),
    [("participant", True, 404), ("after_end", False, 404), ("after_end", True, 200)],
)
def test_results_are_shown_when_the_phase_says(client, arena, visibility, is_over, answer):
    Phase.objects.filter(slug="test").update(
        visibility=visibility, **({"closes_at": timezone.now()} if is_over else {})
    )
    client.force_login(arena.people["member"])

    assert client.get(BOARD).status_code == client.get(f"{BOARD[:-1]}.csv").status_code == answer
    client.force_login(arena.people["owner"])
    assert client.get(BOARD).status_code == 200


def test_equal_teams_share_a_rank(client, arena):
    third = make_team(arena.challenge, "Puma")
    submit(arena.phase, team=third, content=write_results(), now=timezone.now())
    score_all(now=timezone.now())

    ranks = dict(reversed(each) for each in read_rows(client.get(BOARD).content.decode()))

    assert ranks["Puma"] == ranks["Lynx"]

"""Tests of the scores of a team over time: what is in them, and who sees them."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from challenges.board.history import Standing, load_history
from challenges.hosting.actions import disqualify
from challenges.models import Challenge, Phase, Submission
from challenges.submissions.hiding import set_hidden
from studies.access.audit import COMMAND_LINE
from tests.challenges.api.programs import make_program
from tests.challenges.challenges import score_all, submit, write_results
from tests.challenges.people import make_arena
from tests.shared_rows import share_in_module

pytestmark = pytest.mark.django_db
BETTER = {"_10": "a dog runs on the green grass", "_11": "two people ride bicycles on a road"}
WORSE = {"_10": "a bus", "_11": "a bus", "_12": "a bus"}
ROOT = "/challenges/captions/phases/test/"


def _make_past():
    arena = make_arena()
    made = [arena.scored]
    for captions in (BETTER, WORSE, {}):
        now = timezone.now()
        made.append(submit(arena.phase, team=arena.team, content=write_results(**captions), now=now))
        score_all(now=now)
    for each in made:
        each.refresh_from_db()
    set_hidden(made[0], is_hidden=True, now=timezone.now())
    disqualify(made[3], reason="It copied.", actor=COMMAND_LINE, now=timezone.now())
    return arena


past_of_module = share_in_module(_make_past)


@pytest.fixture
def past(db, past_of_module, tmp_path):
    """The arena, where the member's team has four scored submissions: one hidden, one disqualified."""
    return past_of_module.take(tmp_path)


def ask(client, past, *, person=None, team=None, root=ROOT, **query):
    client.logout()
    if person:
        client.force_login(past.people[person])
    return client.get(f"{root}teams/{(team or past.team).pk}/history/", query)


def test_all_scored_submissions_with_the_entry_marked(past):
    history = load_history(past.phase, team=past.team, with_left_out=True)

    assert [each.standing for each in history.past] == [
        Standing.LEFT_OUT,
        Standing.ENTRY,
        Standing.OTHER,
        Standing.LEFT_OUT,
    ]
    for each in history.past:
        stored = each.submission.scores.get(metric="rouge-l", references="c3").value
        number = [(column.metric, column.references) for column in history.columns].index(("rouge-l", "c3"))
        assert each.values[number] == round(stored, past.phase.decimals)


def test_the_page_shows_the_chosen_metric_and_a_figure(client, past):
    page = ask(client, past, person="member", metric="rouge-l:c3").content.decode()
    figure = client.get(f"{ROOT}teams/{past.team.pk}/history.svg", {"metric": "rouge-l:c3", "size": "narrow"})

    for each in Submission.objects.filter(team=past.team):
        assert f'<td class="number">{each.scores.get(metric="rouge-l", references="c3").value:.3f}</td>' in page
    assert page.count('<span class="label">on the leaderboard</span>') == 1
    assert (figure["Content-Type"], figure.status_code) == ("image/svg+xml", 200)
    assert b"rouge-l:c3" in figure.content
    assert client.get(f"{ROOT}teams/{past.team.pk}/history.svg", {"size": "huge"}).status_code == 404


def test_others_see_neither_files_nor_what_was_left_out(client, past):
    page = ask(client, past, person="rival").content.decode()
    answer = ask(client, past, root=f"/api/v1{ROOT}").json()

    (table,) = re.findall(r"<table.*?</table>", page.split("<dialog")[0], re.S)
    assert table.count("<tr") == 3
    assert "captions_test_mine" not in page
    assert "disqualified" not in page
    assert [(each["is_entry"], each["is_left_out"], each["submission"]) for each in answer["submissions"]] == [
        (True, False, None),
        (False, False, None),
    ]


def test_the_api_shows_the_team_its_own(past):
    program = make_program(past.team)
    board = program.get(f"/api/v1{ROOT}leaderboard/").json()
    own = next(each for each in board["entries"] if each["is_own"])

    answer = program.get(f"/api/v1{ROOT}teams/{own['team_number']}/history/").json()

    assert (answer["team"], len(answer["submissions"])) == ("Lynx", 4)
    assert {each["submission"] for each in answer["submissions"]} == set(
        past.team.submissions.values_list("token", flat=True)
    )
    assert answer["columns"][0]["name"] == "cider-d:c2"


@pytest.mark.parametrize(
    ("change", "seen_by"),
    [
        ({"visibility": "participant"}, {"member", "owner"}),
        ({"visibility": "after_end"}, {"member", "owner"}),
        ({"visibility": "after_end", "closes_at": "now"}, {"member", "owner", "rival", "stranger", None}),
        ({"is_anonymous": True}, {"member", "owner"}),
        ({"is_anonymous": True, "published_at": "now"}, {"member", "owner", "rival", "stranger", None}),
    ],
)
def test_who_sees_it(client, past, change, seen_by):
    given = {name: timezone.now() if value == "now" else value for name, value in change.items()}
    model = Phase.objects.filter(slug="test") if "visibility" in given else Challenge.objects
    model.update(**given)

    people = ("member", "owner", "rival", "stranger", None)
    pages = {person for person in people if ask(client, past, person=person).status_code == 200}
    routes = {person for person in people if ask(client, past, person=person, root=f"/api/v1{ROOT}").status_code == 200}

    assert (pages, routes) == (seen_by, seen_by)


def test_the_board_links_to_what_may_be_seen(client, past):
    def find_links(person):
        client.logout()
        if person:
            client.force_login(past.people[person])
        page = client.get(f"{ROOT}leaderboard/").content.decode()
        answer = client.get(f"/api/v1{ROOT}leaderboard/").json()
        numbers = {each["team_number"] for each in answer["entries"]} - {None}
        assert numbers == {each.pk for each in (past.team, past.other_team) if f"/teams/{each.pk}/" in page}
        return numbers

    both = {past.team.pk, past.other_team.pk}
    assert find_links(None) == both
    Challenge.objects.update(is_anonymous=True)
    assert [find_links(person) for person in (None, "member", "stranger", "owner")] == [
        set(),
        {past.team.pk},
        set(),
        both,
    ]


def test_a_team_of_another_challenge_or_without_scores(client, past):
    Submission.objects.filter(team=past.other_team).update(finished_at=past.scored.finished_at + timedelta(hours=1))
    past.other_team.submissions.all().delete()

    assert b"No submission has been scored yet." in ask(client, past, team=past.other_team).content
    assert client.get(f"{ROOT}teams/{past.other_team.pk}/history.svg").status_code == 404
    assert client.get(f"{ROOT}teams/999999/history/").status_code == 404

"""Tests of challenges, phases and leaderboards in the API."""

import json

import pytest

from challenges.models import Phase
from tests.challenges.api.programs import make_program

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/challenges/"


def test_a_challenge_is_listed_and_shown(client, arena):
    listed = client.get(ROOT).json()
    shown = client.get(f"{ROOT}captions/").json()

    assert listed["results"] == [{"challenge": "captions", "title": "Captions", "state": "open"}]
    assert (shown["terms"], shown["team_size"]) == ("Use no data of the test images.", 5)
    (phase,) = [each for each in shown["phases"] if each["phase"] == "test"]
    assert (phase["time_zone"], phase["per_day"], phase["decimals"]) == ("Europe/Berlin", 5, 3)
    assert [each["metric"] for each in phase["metrics"]] == ["cider-d", "rouge-l", "bleu-4"]
    assert phase["references"] == [
        {"name": "c2", "start": 0, "count": 2},
        {"name": "c3", "start": 0, "count": 3},
    ]


def test_a_team_sees_what_is_left_of_its_limits(client, arena):
    phase = f"{ROOT}captions/phases/test/"

    assert client.get(phase).json()["usage"] is None
    usage = make_program(arena.team).get(phase).json()["usage"]
    assert (usage["today"], usage["per_day"], usage["made"], usage["in_all"], usage["left"]) == (1, 5, 1, 100, 4)


def test_a_leaderboard_is_ordered_by_any_column(client, arena):
    address = f"{ROOT}captions/phases/test/leaderboard/"

    board = client.get(address, {"order": "rouge-l:c3"}).json()

    assert [each["name"] for each in board["columns"]][:3] == ["cider-d:c2", "rouge-l:c2", "bleu-4:c2"]
    assert (board["order"], board["is_final"], board["digest"]) == ("rouge-l:c3", False, "")
    number = [each["name"] for each in board["columns"]].index("rouge-l:c3")
    values = [each["values"][number] for each in board["entries"]]
    assert values == sorted(values, reverse=True)
    assert {each["team"] for each in board["entries"]} == {"Lynx", "Ibex"}
    wrong = client.get(address, {"order": "nothing"})
    assert (wrong.status_code, wrong.json()["errors"]) == (
        400,
        [{"field": "order", "message": "There is no such column."}],
    )


@pytest.mark.parametrize(
    ("file_format", "beginning"), [("csv", "rank,team,is_baseline,at,"), ("tex", "\\begin{tabular}")]
)
def test_a_leaderboard_is_downloaded(client, arena, file_format, beginning):
    response = client.get(f"{ROOT}captions/phases/test/leaderboard.{file_format}")

    assert b"".join(response.streaming_content).decode().startswith(beginning)


def test_what_is_hidden_or_not_there(client, arena):
    Phase.objects.filter(slug="over").update(visibility="participant")

    for address in (
        "none/",
        "captions/phases/none/",
        "captions/phases/over/leaderboard/",
        "captions/phases/over/leaderboard.csv",
        "captions/phases/test/leaderboard.docx",
    ):
        response = client.get(f"{ROOT}{address}")
        assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
        assert json.loads(response.content)["detail"]

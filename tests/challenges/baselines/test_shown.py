"""Tests of what the board, its files, its intervals and human studies make of baselines."""

import json
from datetime import timedelta

import pytest

from challenges.baselines.notes import describe_kind, list_notes
from challenges.board.freezing import freeze_board, load_board
from challenges.board.ranking import compute_board
from challenges.board.tables import print_board_latex, write_board_csv
from challenges.human.making import list_entries
from challenges.models import Challenge
from tests.challenges.baselines.adding import add
from tests.challenges.challenges import (
    CAPTIONS,
    make_challenge,
    make_phase,
    make_team,
    score_all,
    submit,
    write_results,
)
from tests.challenges.people import make_arena

pytestmark = pytest.mark.django_db
NOTE = (
    "one reference of each image is its caption. Its scores are computed with one reference fewer for each image than "
    "those of other entries, which lowers most of them."
)


def test_baselines_do_not_move_the_ranks_of_teams():
    phase = make_phase(make_challenge())
    submit(phase, team=make_team(phase.challenge, "Lynx"))
    submit(phase, team=make_team(phase.challenge, "Ibex"))
    best = write_results(**{f"_{key}": texts[0] for key, texts in CAPTIONS.items()})
    add(phase, "file", name="Best", content=best)
    # As good as the teams, with which it shares no rank.
    add(phase, "file", name="Equal")
    score_all()

    board = compute_board(phase)
    assert [(each.team, each.rank) for each in board.entries] == [
        ("Best", None),
        ("Lynx", 1),
        ("Ibex", 1),
        ("Equal", None),
    ]
    lines = list(write_board_csv(board))
    assert lines[0].startswith("rank,team,is_baseline,at,")
    assert [line.split(",")[:3] for line in lines[1:]] == [
        ["", "Best", "1"],
        ["1", "Lynx", "0"],
        ["1", "Ibex", "0"],
        ["", "Equal", "1"],
    ]
    assert "-- & Best (baseline) & " in print_board_latex(board, decimals=3)


def test_a_final_board_has_baselines_in_its_digest():
    phase = make_phase(make_challenge())
    add(phase, "human")
    score_all()

    digest = freeze_board(phase, now=phase.closes_at + timedelta(days=1))

    assert [(each.team, each.rank, each.is_baseline) for each in load_board(phase).entries] == [("Human", None, True)]
    assert digest == phase.frozen_digest
    assert [each.text for each in list_notes(load_board(phase), phase)] == [NOTE]


def test_baselines_have_intervals_and_clusters():
    phase = make_phase(make_challenge(), shows_intervals=True, metrics=("rouge-l",), references=(("c2", 2),))
    submit(phase, team=make_team(phase.challenge, "Lynx"))
    add(phase, "human")
    score_all()

    entries = {each.team: each for each in compute_board(phase).entries}
    assert set(entries) == {"Lynx", "Human"}
    for each in entries.values():
        assert each.intervals[0].low <= each.values[0] <= each.intervals[0].high
        assert each.clusters[0] >= 1


def test_human_captions_are_judged_in_no_human_study():
    phase = make_phase(make_challenge())
    for kind in ("common-caption", "human", "file"):
        add(phase, kind)
    score_all()

    assert {each.team.name for each in list_entries(phase)} == {"Common caption", "Given"}


def test_page_and_api_mark_baselines_and_say_what_human_scores_are(client):
    arena = make_arena()
    Challenge.objects.update(is_anonymous=True)
    add(arena.phase, "human", now=arena.scored.created_at)
    score_all(arena.scored.created_at)

    page = client.get("/challenges/captions/phases/test/leaderboard/").content.decode()
    shown = client.get("/api/v1/challenges/captions/phases/test/leaderboard/").json()

    assert '<th scope="row">Human <span class="label">baseline</span></th>' in page
    assert f"<li>Human: {NOTE}</li>" in page
    # Baselines have names while teams have none.
    assert {each["team"] for each in shown["entries"]} == {"Anonymous", "Human"}
    assert shown["baselines"] == [{"team": "Human", "kind": "human", "text": NOTE}]
    assert not [text for texts in CAPTIONS.values() for text in texts if text in page or text in json.dumps(shown)]


def test_notes_of_caption_sets():
    assert describe_kind("human", n=2).startswith("2 references of each image are its captions. ")
    assert describe_kind("common-caption", n=2).startswith("the 2 most frequent captions")
    assert describe_kind("nearest-neighbour", n=2).startswith("2 captions of")
    assert describe_kind("file", n=2) == "captions that the hosts gave."

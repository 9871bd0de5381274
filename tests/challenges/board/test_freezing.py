"""Tests of final boards: stored once all has ended, and unchanged from then on."""

from datetime import timedelta

import pytest

from challenges.board.freezing import freeze_board, load_board
from challenges.board.ranking import compute_board
from challenges.board.tables import print_board_latex, write_board_csv
from challenges.errors import ChallengeRefused
from challenges.models import Phase
from tests.challenges.board.test_ranking import add
from tests.challenges.challenges import make_challenge, make_phase, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def phase():
    phase = make_phase(make_challenge(), metrics=("cider-d",), references=(("c2", 2),))
    add(phase, make_team(phase.challenge, "=one_&"), 0.51239)
    add(phase, make_team(phase.challenge, "two"), None)
    return phase


def test_a_final_board_stays(phase):
    with pytest.raises(ChallengeRefused, match="not over"):
        freeze_board(phase, now=phase.closes_at - timedelta(seconds=1))
    waiting = add(phase, make_team(phase.challenge, "late"), 0.9, state="queued")
    with pytest.raises(ChallengeRefused, match="1 submissions are being scored"):
        freeze_board(phase, now=phase.closes_at)
    waiting.delete()
    board = compute_board(phase)
    assert load_board(phase) == board

    digest = freeze_board(phase, now=phase.closes_at)
    phase.submissions.all().delete()

    kept = Phase.objects.select_related("challenge").get(pk=phase.pk)
    assert (load_board(kept), kept.frozen_digest, len(digest)) == (board, digest, 64)
    with pytest.raises(ChallengeRefused, match="already final"):
        freeze_board(phase, now=phase.closes_at)
    kept.frozen_board["entries"][0]["values"] = [0.9]
    with pytest.raises(ValueError, match="was changed"):
        load_board(kept)


def test_a_board_as_csv_and_latex(phase):
    board = compute_board(phase)

    assert list(write_board_csv(board)) == [
        "rank,team,is_baseline,at,cider-d (c2)\r\n",
        "1,'=one_&,0,2025-03-01T12:00:00+00:00,0.512\r\n",
        ",two,0,2025-03-01T12:00:00+00:00,\r\n",
    ]
    latex = print_board_latex(board, decimals=3)
    assert "1 & =one\\_\\& & 0.512 \\\\" in latex
    assert "-- & two & -- \\\\" in latex
    assert latex.count("\\\\\n") == 3

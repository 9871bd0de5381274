"""Tests that a board shows the intervals of its own entries only, and none where none is right."""

import csv
import json
from datetime import timedelta

import numpy as np
import pytest

from challenges.board.freezing import freeze_board, load_board
from challenges.board.ranking import compute_board
from challenges.board.tables import write_board_csv
from challenges.errors import ChallengeRefused
from challenges.hosting.actions import disqualify
from challenges.models import PhaseIntervals, SubmissionScore
from challenges.submissions.scoring_jobs import queue_scoring
from jobs.models import Job
from studies.access.audit import COMMAND_LINE
from tests.challenges.challenges import make_challenge, make_phase, make_team, score_all, submit, write_results
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
GOOD = {"_10": "a dog runs on the green grass", "_11": "two people ride bicycles on a road"}


@pytest.fixture
def phase():
    phase = make_phase(make_challenge(), shows_intervals=True, visibility="all")
    for name, changes in (("a", {}), ("b", GOOD)):
        submit(phase, team=make_team(phase.challenge, name), content=write_results(**changes))
    score_all()
    return phase


def test_means_have_rounded_intervals_and_bleu_has_none(phase):
    board = compute_board(phase)

    assert (board.intervals_at, len(board.entries)) == (NOW, 2)
    for entry in board.entries:
        for column, value, ends, cluster in zip(
            board.columns, entry.values, entry.intervals, entry.clusters, strict=True
        ):
            if column.metric == "bleu-4":
                assert (ends, cluster) == (None, None)
            else:
                assert ends.low <= value <= ends.high
                assert (ends.low, ends.high) == (round(ends.low, 3), round(ends.high, 3))
                assert cluster in (1, 2)


def test_an_interval_encloses_the_scores_of_resampled_images(phase):
    entry = compute_board(phase).entries[0]
    stored = SubmissionScore.objects.get(submission=entry.submission, metric="cider-d", references="c2")
    scores = np.frombuffer(stored.per_image, "<f8")

    assert stored.value == pytest.approx(scores.mean())
    assert scores.min() - 1e-3 <= entry.intervals[0].low <= entry.intervals[0].high <= scores.max() + 1e-3


def test_metrics_say_whether_they_are_means(phase):
    known = dict(SubmissionScore.objects.values_list("metric", "is_mean"))

    assert known == {"cider-d": True, "rouge-l": True, "bleu-4": False}


def test_without_the_choice_of_the_host_nothing_is_computed_or_shown(phase):
    other = make_phase(phase.challenge, slug="other")
    submit(other, team=phase.challenge.teams.first())
    score_all()

    board = compute_board(other)

    assert not PhaseIntervals.objects.filter(phase=other).exists()
    assert (board.intervals_at, board.entries[0].intervals, board.entries[0].clusters) == (None, (), ())
    assert "low" not in "".join(write_board_csv(board))


def test_a_changed_board_has_no_clusters_until_they_are_computed_again(phase):
    worst = compute_board(phase).entries[-1]
    loser = phase.submissions.get(pk=worst.submission)
    disqualify(loser, reason="It copied.", actor=COMMAND_LINE, now=NOW)

    left = compute_board(phase).entries
    assert [(bool(each.intervals), each.clusters) for each in left] == [(True, ())]
    score_all()
    assert compute_board(phase).entries[0].clusters[0] == 1


def test_a_changed_score_has_no_old_interval(phase):
    first = compute_board(phase).entries[0]
    SubmissionScore.objects.filter(submission=first.submission, metric="rouge-l").update(value=0.123)

    found = {each.submission: each for each in compute_board(phase).entries}

    assert found[first.submission].intervals == ()
    assert not any(each.clusters for each in found.values())


def test_an_entry_with_an_undefined_image_has_no_interval(phase):
    scores = SubmissionScore.objects.filter(metric="rouge-l", references="c2")
    first, second = scores.order_by("submission")
    values = np.frombuffer(first.per_image, "<f8").copy()
    values[0] = np.nan
    SubmissionScore.objects.filter(pk=first.pk).update(per_image=values.tobytes())
    queue_scoring(phase.submissions.get(pk=second.submission_id), now=NOW, again=True)
    score_all()

    number = [(each.metric, each.references) for each in compute_board(phase).columns].index(("rouge-l", "c2"))
    found = {each.submission: each.intervals[number] for each in compute_board(phase).entries}

    assert found[first.submission_id] is None
    assert found[second.submission_id] is not None


def test_a_final_board_keeps_them_and_waits_for_them(phase):
    phase.closes_at = NOW - timedelta(hours=1)
    phase.save()
    submission = phase.submissions.first()
    disqualify(submission, reason="It copied.", actor=COMMAND_LINE, now=NOW)
    with pytest.raises(ChallengeRefused, match="being computed"):
        freeze_board(phase, now=NOW)
    score_all()

    freeze_board(phase, now=NOW)

    assert load_board(phase) == compute_board(phase)
    assert load_board(phase).entries[0].clusters[0] == 1


def test_pages_the_api_and_files_show_them(client, phase):
    slug = phase.challenge.slug
    page = client.get(f"/challenges/{slug}/phases/test/leaderboard/").content.decode()
    answer = client.get(f"/api/v1/challenges/{slug}/phases/test/leaderboard/").json()
    lines = list(csv.DictReader("".join(write_board_csv(compute_board(phase))).splitlines()))

    board = compute_board(phase)
    ends = board.entries[0].intervals[0]
    assert f"{ends.low:.3f} to {ends.high:.3f}" in page
    assert answer["entries"][0]["intervals"][0] == {"low": ends.low, "high": ends.high}
    assert answer["entries"][0]["clusters"] == list(board.entries[0].clusters)
    assert answer["intervals_at"] is not None
    assert float(lines[0]["cider-d (c2) low"]) == ends.low
    assert lines[0]["bleu-4 (c2) low"] == ""


def test_no_job_says_a_score_of_an_image(phase):
    told = json.dumps(list(Job.objects.filter(kind="compute-intervals").values("payload", "result", "message")))

    assert f'"phase": {phase.pk}' in told
    assert not any(f"{value:.6f}" in told for value in np.frombuffer(SubmissionScore.objects.first().per_image, "<f8"))

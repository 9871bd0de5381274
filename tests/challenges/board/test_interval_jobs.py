"""Tests that a board shows the intervals of its own entries only, and none where none is right."""

import csv
import json
from datetime import timedelta

import numpy as np
import pytest

from challenges.board.freezing import freeze_board, load_board
from challenges.board.image_statistics import pack_statistics, unpack_statistics
from challenges.board.intervals import N_RESAMPLES, compare_entries
from challenges.board.ranking import compute_board
from challenges.board.tables import write_board_csv
from challenges.errors import ChallengeRefused
from challenges.hosting.actions import disqualify
from challenges.models import PhaseIntervals, SubmissionScore
from challenges.submissions.scoring import load_metrics
from challenges.submissions.scoring_jobs import queue_scoring
from correlation.resampling.counts import BootstrapPlan
from jobs.models import Job
from metrics_plugins.api import Batch
from metrics_plugins.runtime import run_metric
from studies.access.audit import COMMAND_LINE
from tests.challenges.challenges import (
    CAPTIONS,
    make_challenge,
    make_phase,
    make_team,
    score_all,
    submit,
    write_results,
)
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


def test_all_scores_have_rounded_intervals(phase):
    board = compute_board(phase)

    assert (board.intervals_at, len(board.entries)) == (NOW, 2)
    for entry in board.entries:
        for column, value, ends, cluster in zip(
            board.columns, entry.values, entry.intervals, entry.clusters, strict=True
        ):
            # Of BLEU-4 on four images, all resamples may be below the value.
            assert ends.low <= value <= ends.high or column.metric == "bleu-4"
            assert (ends.low, ends.high) == (round(ends.low, 3), round(ends.high, 3))
            assert cluster in (1, 2)


def test_an_interval_encloses_the_scores_of_resampled_images(phase):
    entry = compute_board(phase).entries[0]
    stored = SubmissionScore.objects.get(submission=entry.submission, metric="cider-d", references="c2")
    scores = read(stored)

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
    values = read(first).copy()
    values[0] = np.nan
    packed = pack_statistics(values, n_images=len(values), is_mean=True)
    SubmissionScore.objects.filter(pk=first.pk).update(per_image=packed)
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
    assert float(lines[0]["bleu-4 (c2) low"]) == board.entries[0].intervals[2].low


def test_no_job_says_a_score_of_an_image(phase):
    told = json.dumps(list(Job.objects.filter(kind="compute-intervals").values("payload", "result", "message")))

    assert f'"phase": {phase.pk}' in told
    assert not any(f"{value:.6f}" in told for value in read(SubmissionScore.objects.first()))


def test_the_interval_of_bleu_is_that_of_scoring_resampled_corpora_again(phase):
    """The naive way: the captions of the drawn images are scored by the metric as a corpus of their own."""
    texts = {key: own[:2] for key, own in CAPTIONS.items()}
    captions = {each["image_id"]: each["caption"] for each in json.loads(write_results(**GOOD))}
    keys, metric = list(texts), load_metrics().build("bleu-4")
    counts = BootstrapPlan(("images",), N_RESAMPLES, phase.pk).draw_counts("images", 4, start=0, stop=N_RESAMPLES)
    scores = np.array([score_again(metric, row, keys=keys, captions=captions, texts=texts) for row in counts[:200]])

    team_b = phase.submissions.get(team__name="b")
    stored = SubmissionScore.objects.get(submission=team_b, metric="bleu-4", references="c2")
    resampled = metric.reduce(counts[:200] @ unpack_statistics(stored.per_image, n_images=4))
    found = compare_entries(
        {1: unpack_statistics(stored.per_image, n_images=4)},
        higher_is_better=True,
        entropy=phase.pk,
        reduce=metric.reduce,
        n_resamples=200,
    )[1]

    np.testing.assert_allclose(resampled, scores, rtol=1e-12)
    assert len(set(scores.tolist())) > 10
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(scores, [0.025, 0.975])), rel=1e-9)
    entry = next(each for each in compute_board(phase).entries if each.submission == team_b.pk)
    whole = metric.reduce(counts @ unpack_statistics(stored.per_image, n_images=4))
    assert (entry.intervals[2].low, entry.intervals[2].high) == pytest.approx(
        tuple(np.round(np.quantile(whole, [0.025, 0.975]), 3))
    )


def score_again(metric, counts, *, keys, captions, texts):
    """Return the score of the corpus with each image as often as it was drawn."""
    drawn = [key for key, count in zip(keys, counts, strict=True) for _ in range(int(count))]
    batch = Batch.make(
        [str(number) for number in range(len(drawn))],
        candidates=[captions[int(key)] for key in drawn],
        references=[texts[key] for key in drawn],
    )
    return run_metric(metric, batch, rng=np.random.default_rng(0)).corpus


def test_scores_that_are_neither_means_nor_from_sums_have_no_interval(phase):
    other = make_phase(
        phase.challenge,
        slug="words",
        metrics=("vocabulary-size", "bleu-1"),
        references=(("c2", 2),),
        captions_per_image=2,
        shows_intervals=True,
    )
    entries = [{"image_id": int(key), "caption": text} for key, texts in CAPTIONS.items() for text in texts[:2]]
    submit(other, team=phase.challenge.teams.first(), content=json.dumps(entries).encode())
    score_all()

    (entry,) = compute_board(other).entries
    assert SubmissionScore.objects.get(metric="vocabulary-size").per_image is None
    assert entry.intervals[0] is None
    # Both captions of an image are drawn together.
    stored = SubmissionScore.objects.get(metric="bleu-1", submission__phase=other)
    assert unpack_statistics(stored.per_image, n_images=4).shape == (4, 4)
    assert entry.intervals[1].low <= entry.values[1] <= entry.intervals[1].high


def read(score):
    """Return the stored scores of images."""
    return unpack_statistics(score.per_image, n_images=score.n_images)[:, 0]

"""Tests of scoring: the numbers of the metrics themselves, no word of a reference in errors, an end for all."""

import json
from dataclasses import replace

import numpy as np
import pytest

from challenges.board.image_statistics import unpack_statistics
from challenges.enums import SubmissionState
from challenges.models import Submission
from challenges.submissions import scoring
from challenges.submissions.scoring import OutOfBounds, limit_value, load_metrics
from challenges.submissions.scoring_jobs import queue_scoring
from challenges.taking_part.limits import count_usage
from jobs.ending import end_job
from jobs.enums import JobState
from jobs.errors import JobUnderWay
from jobs.models import Job
from jobs.worker.claiming import claim_job
from metrics_plugins.api import Batch
from metrics_plugins.runtime import load_registry, run_metric
from tests.challenges.challenges import (
    CAPTIONS,
    METRICS,
    make_challenge,
    make_phase,
    make_team,
    score_all,
    submit,
    write_results,
)
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


def score_directly(metric, *, count):
    """Score the captions of `write_results` by a metric alone, with the first references of each image."""
    captions = {str(each["image_id"]): each["caption"] for each in json.loads(write_results())}
    keys = [key for key in CAPTIONS if len(CAPTIONS[key]) >= count]
    batch = Batch.make(
        keys,
        candidates=[captions[key] for key in keys],
        references=[CAPTIONS[key][:count] for key in keys],
        image_keys=keys,
    )
    return run_metric(load_registry(outside=False).build(metric), batch, rng=np.random.default_rng(0))


def test_scores_are_those_of_the_metrics(phase):
    submission = submit(phase, team=make_team(phase.challenge))

    assert (submission.state, submission.finished_at) == (SubmissionState.RECEIVED, None)
    score_all()

    submission.refresh_from_db()
    assert (submission.state, submission.reason, submission.finished_at) == (SubmissionState.SCORED, "", NOW)
    assert submission.scores.count() == 2 * len(METRICS)
    for each in submission.scores.all():
        expected = score_directly(each.metric, count=int(each.references[1:]))
        assert each.value == pytest.approx(expected.corpus, rel=1e-12)
        assert (each.signature, each.n_images) == (str(expected.signature), {"c2": 4, "c3": 3}[each.references])
        stored = unpack_statistics(each.per_image, n_images=each.n_images)
        by_row = expected.scores.values[:, None] if each.is_mean else expected.statistics
        np.testing.assert_allclose(stored, by_row)


def test_an_invalid_file_fails_with_the_entry_and_has_no_score(phase):
    entries = json.loads(write_results())[1:]
    submission = submit(phase, team=make_team(phase.challenge), content=json.dumps(entries).encode())

    score_all()

    submission.refresh_from_db()
    assert (submission.state, submission.scores.count()) == (SubmissionState.FAILED, 0)
    assert "image 10 must have 1 caption" in submission.reason


def test_several_captions_of_an_image_are_scored_as_sets():
    phase = make_phase(make_challenge(), metrics=("div-1", "rouge-l"), captions_per_image=2)
    content = json.dumps(json.loads(write_results()) + json.loads(write_results(_10="a puppy"))).encode()
    submission = submit(phase, team=make_team(phase.challenge), content=content)

    score_all()

    submission.refresh_from_db()
    assert (submission.state, submission.reason) == (SubmissionState.SCORED, "")
    assert all(each.value is not None for each in submission.scores.all())


def test_a_metric_that_fails_quotes_no_reference(phase, monkeypatch, caplog):
    compute = scoring.compute_score

    def fail(measure, **given):
        if measure.metric == "rouge-l":
            raise ValueError(f"cannot score {measure.texts}")
        return compute(measure, **given)

    monkeypatch.setattr(scoring, "compute_score", fail)
    submission = submit(phase, team=make_team(phase.challenge))

    score_all()

    submission.refresh_from_db()
    assert submission.state == SubmissionState.SCORED
    assert submission.reason == "Could not be computed: rouge-l (c2), rouge-l (c3)."
    told = caplog.text + submission.reason + "".join(map(str, Job.objects.values_list("problem", "result", "message")))
    assert not [text for texts in CAPTIONS.values() for text in texts if text in told]
    assert "ValueError" in caplog.text


def test_a_metric_that_leaves_its_bounds_fails(phase, monkeypatch, caplog):
    """The leak bound counts the values within the declared bounds: one outside would tell more."""
    metric = load_metrics().build("rouge-l")
    monkeypatch.setattr(type(metric), "summarize", lambda *_: 1.5)
    submission = submit(phase, team=make_team(phase.challenge))

    score_all()

    submission.refresh_from_db()
    assert submission.reason == "Could not be computed: rouge-l (c2), rouge-l (c3)."
    assert not submission.scores.filter(metric="rouge-l").exists()
    assert "metric rouge-l of a challenge failed" in caplog.text
    assert "1.5, outside of the declared bounds [0.0, 1.0]" in caplog.text


@pytest.mark.parametrize(("value", "expected"), [(0.5, 0.5), (1 + 1e-12, 1.0), (-1e-12, 0.0)])
def test_scores_leave_their_bounds_only_by_rounding(value, expected):
    assert limit_value(value, bounds=(0.0, 1.0)) == expected
    assert np.isnan(limit_value(np.nan, bounds=(0.0, 1.0)))
    with pytest.raises(OutOfBounds, match="declared bounds"):
        limit_value(value + 2, bounds=(0.0, 1.0))


def test_undefined_scores_are_scores(phase, monkeypatch):
    """A submission whose scores are all undefined counts: otherwise it would be a free look at the references."""
    compute = scoring.compute_score
    monkeypatch.setattr(scoring, "compute_score", lambda *given, **by: replace(compute(*given, **by), value=np.nan))
    team = make_team(phase.challenge)
    submission = submit(phase, team=team)

    score_all()

    submission.refresh_from_db()
    assert (submission.state, submission.reason) == (SubmissionState.SCORED, "")
    assert {each.value for each in submission.scores.all()} == {None}
    assert count_usage(phase, team=team, now=NOW).made == 1


def test_a_submission_without_any_score_fails_and_one_of_a_lost_worker_ends(phase, monkeypatch):
    monkeypatch.setattr(scoring, "compute_score", lambda *_, **__: 1 / 0)
    team = make_team(phase.challenge)
    unscored = submit(phase, team=team)
    score_all()
    unscored.refresh_from_db()
    assert (unscored.state, unscored.finished_at) == (SubmissionState.FAILED, NOW)

    lost = submit(phase, team=team)
    job = claim_job("challenges", now=NOW)
    end_job(Job.objects.filter(pk=job.pk), JobState.LOST, now=NOW, problem="three workers died")
    lost.refresh_from_db()
    assert (lost.state, lost.finished_at) == (SubmissionState.FAILED, NOW)
    assert "does not count" in lost.reason


def test_a_second_worker_keeps_the_scores_of_the_first(phase, monkeypatch):
    submission = submit(phase, team=make_team(phase.challenge))
    asked = []
    compute = scoring.compute_score

    def count(measure, **given):
        asked.append(measure.key)
        return compute(measure, **given)

    monkeypatch.setattr(scoring, "compute_score", count)
    score_all()
    assert len(asked) == len(set(asked)) == 2 * len(METRICS)
    Submission.objects.update(state=SubmissionState.SCORING, finished_at=None)
    submission.scores.filter(metric="rouge-l").delete()
    asked.clear()
    queue_scoring(submission, now=NOW)
    with pytest.raises(JobUnderWay):
        queue_scoring(submission, now=NOW)
    score_all()

    assert asked == [("c2", "rouge-l"), ("c3", "rouge-l")]
    assert submission.scores.count() == 2 * len(METRICS)


def test_scoring_again_never_takes_an_entry_away(phase, monkeypatch):
    submission = submit(phase, team=make_team(phase.challenge))
    score_all()
    submission.scores.update(value=0.0)

    queue_scoring(submission, now=NOW, again=True)
    submission.refresh_from_db()
    assert submission.state == SubmissionState.SCORED
    score_all()
    assert submission.scores.filter(value__gt=0).count() >= 4

    monkeypatch.setattr(scoring, "compute_score", lambda *_, **__: 1 / 0)
    queue_scoring(submission, now=NOW, again=True)
    score_all()
    submission.refresh_from_db()
    assert (submission.state, submission.scores.count()) == (SubmissionState.SCORED, 6)

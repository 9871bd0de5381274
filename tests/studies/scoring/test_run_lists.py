"""Tests of the lists of runs: which metrics of a run have no scores."""

import pytest

from studies.enums import RequestState, TaskKind
from studies.models import RequestedMetric, Run, ScoringInput, ScoringRequest
from studies.scoring.run_lists import (
    ScoreGap,
    find_skipped,
    group_gaps,
    is_partial,
    list_requests,
    list_scored_metrics,
)
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db
FAILED = {"rouge-l": "it needs x", "bleu-1": "it exits", "cider": "it needs x"}


@pytest.fixture
def study():
    return make_scored_study(score=False)


def make_run(study, *, state=RequestState.FINISHED, scored=("length",), failed=FAILED):
    run = ScoringRequest.objects.create(study=study, state=state, requested_at=NOW)
    for metric in scored:
        RequestedMetric.objects.create(request=run, metric=metric, state=RequestState.FINISHED)
    for metric, message in failed.items():
        RequestedMetric.objects.create(request=run, metric=metric, state=RequestState.FAILED, message=message)
    return run


@pytest.mark.parametrize(
    ("state", "failed", "partial"),
    [
        (RequestState.FINISHED, FAILED, True),
        (RequestState.FINISHED, {}, False),
        (RequestState.FAILED, FAILED, False),
        (RequestState.RUNNING, FAILED, False),
    ],
)
def test_a_finished_run_with_failed_metrics_is_partial(study, state, failed, partial):
    make_run(study, state=state, failed=failed)

    (run,) = list_requests(study)

    assert (run.n_metrics, run.n_failed, run.n_scored) == (1 + len(failed), len(failed), 1)
    assert is_partial(run) == partial


def test_metrics_with_scores_of_what_the_study_judges_are_listed():
    study, digest = make_scored_study("scored"), "d" * 64
    assert list_scored_metrics(study) == ["length", "rouge-l"]
    of_sets = {"level": "set", "references": "all", "digest": digest, "n_rows": 0, "row_ids": b"", "created_at": NOW}
    ScoringInput.objects.create(dataset=study.dataset, **of_sets)
    Run.objects.filter(metric="rouge-l").update(input_digest=digest)

    assert list_scored_metrics(study) == ["length"]
    study.kind = TaskKind.SET_RATING
    assert list_scored_metrics(study) == ["rouge-l"]
    assert list_scored_metrics(make_scored_study("unscored", score=False)) == []


def test_gaps_are_grouped_by_reason(study):
    run = make_run(study)

    assert group_gaps(list(run.metrics.all())) == (
        ScoreGap("it needs x", ("cider", "rouge-l")),
        ScoreGap("it exits", ("bleu-1",)),
    )


def test_skipped_metrics_are_those_of_the_latest_completed_run(study):
    assert find_skipped(study) is None
    make_run(study, failed={"meteor": "it needs y"})
    latest = make_run(study)
    make_run(study, state=RequestState.CANCELLED, failed={"spice": "it needs z"})

    found = find_skipped(study)

    assert (found.run, found.metrics) == (latest, ("bleu-1", "cider", "rouge-l"))


def test_a_metric_that_was_scored_otherwise_is_not_skipped(study):
    make_run(study)
    score_study(study, now=lambda: NOW, metrics=["bleu-1", "cider"])
    assert find_skipped(study).metrics == ("rouge-l",)

    score_study(study, now=lambda: NOW, metrics=["rouge-l"])
    assert find_skipped(study) is None

"""Tests that an interrupted run keeps its complete chunks, and is continued to the same scores."""

from dataclasses import replace

import pytest
from django.db import IntegrityError

from metrics_plugins.api import Level
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.sandbox import ChildStopped
from metrics_plugins.runtime.sandbox.catalog import describe_registration
from metrics_plugins.runtime.sessions import AskedMetric, make_backend
from studies.models import Run, ScoreChunk
from studies.scoring.chunks import find_missing, save_chunk, unpack_scores
from studies.scoring.inputs import build_rows
from studies.scoring.pipeline import InputPlan, Watch, score_input
from studies.scoring.references import ReferenceSelection
from tests.factories.studies import NOW
from tests.studies.scoring.rows import make_rows
from tests.studies.scoring.test_chunks import make_result, make_run

pytestmark = pytest.mark.django_db

METRICS = ("cider-d", "length")


class StopsAfter(Watch):
    """Lets so many chunks be scored and no more."""

    def __init__(self, n_chunks):
        self.left = n_chunks
        self.told = []

    def stop(self):
        return self.left <= 0

    def note_chunks(self, metric, *, n_chunks, n_present=0):
        self.left -= n_chunks - n_present
        self.told.append((metric, n_chunks, n_present))


@pytest.fixture
def plan():
    study = make_rows()
    rows = build_rows(study.dataset, level=Level.SEGMENT, selection=ReferenceSelection("all"))
    rows.save(now=NOW)
    registry = load_registry()
    metrics = [AskedMetric(describe_registration(registry.get(name))) for name in METRICS]
    return InputPlan(rows, metrics, judging=study, chunk_size=2)


def score(plan, watch=None):
    backend = make_backend("inline", registry=load_registry())
    return score_input(plan, backend=backend, now=lambda: NOW, watch=watch)


def get_scores():
    return {run.metric: unpack_scores(run).tolist() for run in Run.objects.all()}


def test_broken_run_goes_on_where_it_stopped_to_the_same_scores(plan):
    score(plan)
    expected = get_scores()
    Run.objects.all().delete()

    with pytest.raises(ChildStopped):
        score(plan, StopsAfter(3))
    broken = {run.metric: (find_missing(run), run.finished_at) for run in Run.objects.all()}
    n_kept = ScoreChunk.objects.count()
    watch = StopsAfter(99)
    outcome = score(plan, watch)

    assert {finished for _, finished in broken.values()} == {None}
    assert n_kept == 6 - sum(len(missing) for missing, _ in broken.values()) == 3
    assert sum(outcome.n_computed.values()) == 6 - n_kept
    assert get_scores() == expected
    assert set(outcome.runs) == set(METRICS)
    assert Run.objects.filter(finished_at=None).count() == 0


def test_existing_scores_are_not_computed_again(plan):
    score(plan)

    assert score(plan).n_computed == {}


def test_metric_that_does_not_fit_is_told_and_the_others_score(plan):
    registry = load_registry()
    novelty = AskedMetric(describe_registration(registry.get("self-cider")))

    outcome = score(replace(plan, metrics=[novelty, *plan.metrics]))

    assert set(outcome.failures) == {"self-cider"}
    assert set(outcome.runs) == set(METRICS)


def test_chunk_is_committed_whole_or_not_at_all():
    run = make_run()
    # The scores are written first: the run's seconds, which must be a number, then refuse the whole chunk.
    unfinished = replace(make_result(0, [0.1, 0.2]), seconds=None)

    with pytest.raises((IntegrityError, TypeError)):
        save_chunk(run, unfinished)

    assert find_missing(run) == [0, 1, 2]
    save_chunk(run, make_result(0, [0.1, 0.2]))
    assert find_missing(run) == [1, 2]

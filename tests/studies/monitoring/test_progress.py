from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.results import Result
from jobs.worker.claiming import NO_WORKER
from jobs.worker.running import run_waiting_jobs
from studies.analysis import cached_results
from studies.design.study_lists import StudyProgress
from studies.monitoring.progress import _TIMES, LEAST_AGE, find_progress
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make_rated_study(n_items=2, score=False)


@pytest.fixture
def _large(monkeypatch):
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)


def judge_once_more(study):
    make_judgment(list_items(study)[0], make_rater(study, "late"), 2.0, created_at=NOW + timedelta(hours=1))


def test_a_small_study_is_counted_at_once(study):
    before = find_progress(study, now=NOW)
    judge_once_more(study)
    after = find_progress(study, now=NOW)

    assert (before.progress, before.n_judgments, before.last_judgment) == (StudyProgress(0, 0), 6, NOW)
    assert (after.n_judgments, after.last_judgment, after.seconds) == (7, NOW + timedelta(hours=1), 0.0)


@pytest.mark.usefixtures("_large")
def test_a_large_study_is_counted_by_a_worker(study):
    first = find_progress(study, now=NOW)
    run_waiting_jobs(now=timezone.now)
    judge_once_more(study)
    second = find_progress(study, now=NOW)

    assert first is None
    assert (second.n_judgments, second.seconds > 0) == (6, True)


@pytest.mark.usefixtures("_large")
def test_waiting_requests_get_current_values(study):
    find_progress(study, now=NOW)
    run_waiting_jobs(now=timezone.now)
    judge_once_more(study)

    assert find_progress(study, now=NOW, wait=True).n_judgments == 7


@pytest.mark.usefixtures("_large")
def test_only_polling_requests_count_without_workers(study):
    find_progress(study, now=NOW)
    late = NOW + NO_WORKER + timedelta(seconds=1)

    assert find_progress(study, now=late) is None
    assert find_progress(study, now=NOW, is_poll=True) is None
    assert find_progress(study, now=late, is_poll=True).n_judgments == 6


@pytest.mark.parametrize(("seconds", "age"), [(0.1, LEAST_AGE), (2.0, timedelta(seconds=20))])
def test_counts_are_young_for_ten_times_what_they_took(seconds, age):
    counted = Result(None, "", made_at=NOW, seconds=seconds)

    young = [counted.is_young(NOW + age - timedelta(seconds=late), factor=_TIMES, least=LEAST_AGE) for late in (0.1, 0)]
    assert young == [True, False]

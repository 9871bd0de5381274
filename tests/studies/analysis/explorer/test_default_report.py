"""Tests of the report that pages open with: who computes it, and what is shown while judgments arrive."""

from datetime import timedelta

import pytest

from jobs.models import Job
from jobs.worker.running import run_waiting_jobs
from studies.analysis import cached_results
from studies.analysis.cached_results import StudyInputs, refresh_cached
from studies.analysis.explorer import default_report
from studies.analysis.explorer.default_report import add_intervals, find_default_report
from studies.analysis.results import load_results
from studies.enums import StudyState
from studies.models import Study
from studies.scoring.study_scoring import score_study
from studies.shared.reports import request_default_report
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db(transaction=True)


def find(study, *, now=NOW, wait=False):
    return find_default_report(study, StudyInputs(study), now=now, wait=wait)


def add_judgment(study, name="late"):
    make_judgment(list_items(study)[0], make_rater(study, name), 2.0)


def make_open():
    study = make_rated_study()
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, started_at=NOW)
    study.refresh_from_db()
    return study


def test_even_a_small_report_is_computed_by_a_job():
    study = make_rated_study()

    first, again = find(study), find(study)
    (job,) = Job.objects.all()
    run_waiting_jobs(now=lambda: NOW)
    found = find(study)

    assert (first.made, first.is_pending, again.job) == (None, True, job)
    assert (found.as_of, found.is_pending) == (None, False)
    assert all(row.low is not None for row in found.made.rows)


@pytest.mark.parametrize("most_judgments", [0, 20_000], ids=["large", "small"])
def test_the_last_report_of_an_open_study_is_shown_with_its_date(monkeypatch, most_judgments):
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", most_judgments)
    study = make_open()
    find(study)
    run_waiting_jobs(now=lambda: NOW)
    before = find(study).made
    add_judgment(study)

    shown = find(study, now=NOW + timedelta(days=1))
    run_waiting_jobs(now=lambda: NOW + timedelta(days=1))
    after = find(study, now=NOW + timedelta(days=1))

    assert (shown.made, shown.as_of, shown.is_pending) == (before, NOW, True)
    assert (after.as_of, after.is_pending) == (None, False)
    assert after.made.rows[0].n == before.rows[0].n + 1


def test_a_run_and_a_page_wait_for_the_same_job():
    study = make_rated_study()
    request_default_report(study, now=NOW)
    score_study(study, now=lambda: NOW, metrics=["bleu-4"])
    request_default_report(study, now=NOW)

    shown = find(study)
    (job,) = Job.objects.all()
    run_waiting_jobs(now=lambda: NOW)

    assert shown.job == job
    assert {metric.id for metric in find(study).made.metrics} == {"bleu-4", "length", "rouge-l"}


def test_a_report_is_computed_again_if_a_run_ends_meanwhile(monkeypatch):
    """The run finds the job under way, and would request nothing."""
    study = make_rated_study()
    computed = []

    def refresh(request, *, now):
        computed.append(request)
        if len(computed) == 1:
            score_study(study, now=lambda: NOW, metrics=["bleu-4"])
            request_default_report(study, now=NOW)
        refresh_cached(request, now=now)

    monkeypatch.setattr(default_report, "refresh_cached", refresh)
    find(study)
    run_waiting_jobs(now=lambda: NOW)

    assert len(computed) == 2
    assert Job.objects.count() == 1
    assert (find(study).is_pending, find(study).as_of) == (False, None)


def test_a_study_without_scores_has_no_report():
    assert find(make_rated_study(score=False), wait=True).made is None


def test_results_get_their_intervals_in_their_own_order():
    study = make_rated_study()
    plain = load_results(study)
    assert add_intervals(plain, study) == plain

    find(study, wait=True)
    found = add_intervals(plain, study).found

    assert [(row.metric, row.value) for row in found.rows] == [(row.metric, row.value) for row in plain.found.rows]
    assert all(row.low is not None for row in found.rows)
    assert found.signatures["length"].startswith(f"{plain.found.signatures['length']} / ci:percentile")

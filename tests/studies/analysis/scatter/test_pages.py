"""Tests of the scatter plot of an overview, computed immediately for few judgments, else by a worker."""

import pytest
from django.utils import timezone

from jobs.models import Job
from jobs.worker.running import run_waiting_jobs
from studies.analysis import cached_results
from studies.analysis.scatter.pages import find_scatter
from studies.analysis.scatter.points import NoScatter
from tests.factories.studies import NOW
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db


def test_a_small_study_has_it_at_once_with_its_table():
    study = make_scored_study(values=(1, 2, 2))

    known = find_scatter(study, metric="length", now=NOW)

    assert (known.as_of, known.is_pending) == (None, False)
    assert set(known.made.pictures) == {"wide", "narrow"}
    # Judgment, n, quartiles and mean: captions of 3 and 4 words are judged 2.
    assert known.made.table.rows == (("1", 1, 2.0, 2.0, 2.0, 2.0), ("2", 2, 3.25, 3.5, 3.75, 3.5))


def test_a_large_study_has_it_from_a_worker(monkeypatch):
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)
    study = make_scored_study(values=(1, 2, 3))

    first = find_scatter(study, metric="length", now=NOW)
    run_waiting_jobs(now=timezone.now)
    then = find_scatter(study, metric="length", now=NOW)

    assert (first.made, first.is_pending) == (None, True)
    assert [(job.kind, job.state) for job in Job.objects.all()] == [("scatter", "done")]
    assert ([row[1] for row in then.made.table.rows], then.is_pending) == ([1, 1, 1], False)


def test_what_has_no_scores_has_none():
    with pytest.raises(NoScatter, match="cider"):
        find_scatter(make_scored_study(), metric="cider", now=NOW)

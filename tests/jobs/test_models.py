"""Tests of the constraints of the table of jobs, and of the estimated time left."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from jobs.models import Job
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
RUNNING = {"state": "running", "lease": "x", "heartbeat": NOW, "started_at": NOW}
ENDED = {"finished_at": NOW}


def make_job(**values):
    return Job.objects.create(**{"kind": "test", "lane": "tests", "requested_at": NOW, "not_before": NOW, **values})


@pytest.mark.parametrize(
    "values",
    [
        {},
        RUNNING,
        {"state": "done", **ENDED},
        {"state": "failed", "problem": "it rained", **ENDED},
        {"state": "cancelled", **ENDED},
        {"state": "lost", "problem": "its worker ended", **ENDED},
    ],
)
def test_each_state_is_taken_with_what_belongs_to_it(values):
    assert make_job(**values).pk


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        # Which of the two is told first differs between databases.
        ({"state": "resting"}, "job_is_in_a_known_state|job_has_end_iff_ended"),
        ({"lease": "x"}, "job_has_lease_iff_running"),
        ({**RUNNING, "lease": ""}, "job_has_lease_iff_running"),
        ({**RUNNING, "heartbeat": None}, "job_has_lease_iff_running"),
        ({"state": "done"}, "job_has_end_iff_ended"),
        (ENDED, "job_has_end_iff_ended"),
        ({"state": "failed", **ENDED}, "job_has_problem_if_failed"),
        ({"n_done": 3, "n_total": 2}, "job_does_no_more_than_all"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(values, constraint):
    with pytest.raises(IntegrityError, match=constraint):
        make_job(**values)


def test_one_job_of_a_kind_and_key_is_under_way():
    first = make_job(key="one")
    make_job(key="two")
    make_job(key="one", kind="other")
    make_job(), make_job()

    with pytest.raises(IntegrityError), transaction.atomic():
        make_job(key="one", **RUNNING)
    Job.objects.filter(pk=first.pk).update(state="cancelled", **ENDED)

    assert make_job(key="one").pk


@pytest.mark.parametrize(
    ("n_done", "n_total", "after", "left"), [(1, 4, 10, 30), (2, 4, 10, 10), (0, 4, 10, None), (3, 0, 10, None)]
)
def test_end_is_estimated_from_the_start_and_not_from_the_request(n_done, n_total, after, left):
    waited = {"requested_at": NOW - timedelta(hours=3)}
    job = make_job(**RUNNING, **waited, n_done=n_done, n_total=n_total)
    now = NOW + timedelta(seconds=after)

    assert job.estimate_end(now) == (None if left is None else now + timedelta(seconds=left))

"""Tests of the outcome of a job for different results of its work."""

from datetime import timedelta

import pytest

from jobs.enums import JobState
from jobs.errors import JobStopped
from jobs.models import Job
from jobs.requests import cancel_job, request_job
from jobs.worker.running import run_waiting_jobs
from tests.factories.studies import NOW
from tests.jobs.kinds import claim, kind, registered, run_next  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


def test_result_is_kept(kind):  # noqa: F811
    request_job(kind, account=None, now=NOW, payload={"say": "hello"})

    job = run_next()

    assert (job.state, job.result, job.finished_at, job.lease) == ("done", {"said": "hello"}, NOW, "")
    assert (job.message, job.n_done, job.n_total) == ("halfway", 1, 2)
    assert [line.text for line in job.lines.all()] == ["done"]


@pytest.mark.parametrize(
    ("payload", "problem"),
    [
        ({"fail": "the file is empty"}, "the file is empty"),
        ({"break": True}, "unexpected error: ZeroDivisionError"),
        ({"fill": True}, "it exceeded its memory limit (7 MiB)"),
    ],
)
def test_a_failure_says_why(payload, problem):
    ended = []
    with registered(memory=lambda: 7, on_end=ended.append) as made:
        request_job(made, account=None, now=NOW, payload=payload)

        job = run_next()

    assert (job.state, job.problem, ended) == ("failed", problem, [job])


def test_what_cannot_be_done_now_is_queued_for_later(kind):  # noqa: F811
    request_job(kind, account=None, now=NOW, payload={"later": "the disk is full"})

    job = run_next()

    assert (job.state, job.not_before) == ("queued", NOW + timedelta(seconds=10))
    assert [line.text for line in job.lines.all()] == ["queued again: the disk is full"]


def test_a_kind_that_no_app_has_fails_and_says_so():
    Job.objects.create(kind="gone", lane="tests", requested_at=NOW, not_before=NOW)

    assert run_next().problem == "no installed app handles jobs of kind 'gone'"


def test_work_that_was_cancelled_meanwhile_changes_nothing():
    def work(handle):
        cancel_job(Job.objects.get(), now=NOW)
        with pytest.raises(JobStopped):
            handle.report("on it")
        handle.finish({"too": "late"})

    with registered(work=work) as made:
        request_job(made, account=None, now=NOW)

        job = run_next()

    assert (job.state, job.result) == (JobState.CANCELLED, None)


def test_all_that_waits_can_be_run_here(kind):  # noqa: F811
    for say in ("one", "two"):
        request_job(kind, account=None, now=NOW, payload={"say": say})

    assert run_waiting_jobs(now=lambda: NOW) == 2
    assert [job.result["said"] for job in Job.objects.order_by("pk")] == ["one", "two"]

"""Tests of requests for jobs: quotas, unique keys, cancellation."""

from datetime import timedelta

import pytest

from jobs.errors import JobRefused, JobStopped, JobUnderWay, QuotaExceeded
from jobs.models import Job, JobLine
from jobs.registry import KEPT
from jobs.requests import cancel_job, delete_old_jobs, find_job, queue_once, request_job
from jobs.running_job import JobHandle
from tests.factories.studies import NOW, make_user
from tests.jobs.kinds import claim, kind, registered, run_next  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


def ask(kind, account=None, **extra):  # noqa: F811
    return request_job(kind, account=account, now=NOW, **extra)


def test_a_job_is_kept_with_what_it_is_given(kind):  # noqa: F811
    user = make_user()

    job = ask(kind, user, payload={"say": "hello"}, key="one")

    assert (job.state, job.account, job.lane, job.payload) == ("queued", user, "tests", {"say": "hello"})
    assert find_job(kind, key="one") == job
    assert find_job(kind, key="two") is None


def test_an_account_has_so_many_jobs_at_once(kind, settings):  # noqa: F811
    settings.ACCORDANCE_ACCOUNT_JOBS = 2
    busy, idle = make_user("busy"), make_user("idle")
    ask(kind, busy), ask(kind, busy)

    with pytest.raises(
        QuotaExceeded, match="2 jobs of your account are waiting or running, the maximum is 2: wait until one"
    ):
        ask(kind, busy)
    ask(kind, idle)
    run_next()

    assert ask(kind, busy).state == "queued"


def test_the_site_itself_has_no_quota_and_0_is_none(kind, settings):  # noqa: F811
    settings.ACCORDANCE_ACCOUNT_JOBS = 1
    ask(kind), ask(kind)
    settings.ACCORDANCE_ACCOUNT_JOBS = 0
    user = make_user()

    assert [ask(kind, user).state for _ in range(3)] == ["queued"] * 3


def test_what_is_under_way_is_not_begun_twice(kind):  # noqa: F811
    first = ask(kind, key="one")

    with pytest.raises(JobUnderWay, match="wait until it ends, or cancel it"):
        ask(kind, key="one")
    run_next()

    assert find_job(kind, key="one", under_way=True) is None
    assert ask(kind, key="one") != first


def test_a_cancelled_job_writes_nothing_more():
    ended = []
    with registered(on_end=ended.append) as made:
        ask(made)
        job = claim()
        handle = JobHandle(job, now=lambda: NOW)

        cancel_job(job, now=NOW, by="owner")

        assert (job.state, job.problem, [each.pk for each in ended]) == ("cancelled", "cancelled by owner", [job.pk])
        for write in (handle.hold, handle.finish, lambda: handle.report("on"), lambda: handle.fail("no")):
            with pytest.raises(JobStopped):
                write()
        with pytest.raises(JobRefused, match="the job has already ended: cancelled"):
            cancel_job(job, now=NOW)


def test_old_jobs_go_with_their_logs(kind):  # noqa: F811
    ask(kind)
    run_next()
    waiting = ask(kind)

    assert delete_old_jobs(now=NOW + KEPT) == 0
    assert delete_old_jobs(now=NOW + KEPT + timedelta(seconds=1)) == 1
    assert (list(Job.objects.all()), JobLine.objects.count()) == ([waiting], 0)


def test_of_many_who_ask_at_once_one_queues_a_job(kind):  # noqa: F811
    for _ in range(3):
        queue_once(kind, key="one", payload={"say": "hello"}, now=NOW)
    queue_once(kind, key="two", now=NOW)

    assert sorted(Job.objects.values_list("key", "state")) == [("one", "queued"), ("two", "queued")]


def test_a_kind_may_keep_its_jobs_for_less_long():
    with registered(name="short", kept=timedelta(hours=1)) as short:
        request_job(short, account=None, now=NOW)
        run_next()

        assert delete_old_jobs(now=NOW + timedelta(hours=1)) == 0
        assert delete_old_jobs(now=NOW + timedelta(hours=1, seconds=1)) == 1

"""Tests of claiming: accounts take turns in each lane, and jobs of dead workers are retried within limits."""

from datetime import timedelta

import pytest

from jobs.models import Job
from jobs.requests import queue_once, request_job
from jobs.running_job import JobHandle
from jobs.worker.claiming import (
    DEAD_AFTER,
    HERE,
    claim_here,
    claim_job,
    give_back,
    list_taken_away,
    lose_dead_jobs,
    lose_job,
    renew_heartbeats,
    try_again,
)
from jobs.worker.running import run_job
from tests.factories.studies import NOW, make_user
from tests.jobs.kinds import claim, kind, registered, run_next  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db
LATE = NOW + DEAD_AFTER + timedelta(seconds=1)


def ask(kind, *accounts, **extra):  # noqa: F811
    return [request_job(kind, account=account, now=NOW, **extra) for account in accounts or (None,)]


def claim_names(n, *, step=1):
    """Claim and end so many jobs one after the other; return whose they were."""
    jobs = [run_next(now=NOW + timedelta(seconds=step * number)) for number in range(n)]
    return [job.account.username if job.account else "site" for job in jobs]


def test_an_account_with_many_jobs_delays_another_by_one(kind, settings):  # noqa: F811
    settings.ACCORDANCE_ACCOUNT_JOBS = 0
    many, few, one = (make_user(name) for name in ("many", "few", "one"))
    ask(kind, *[many] * 20, few, few, one)

    assert claim_names(8) == ["many", "few", "one", "many", "few", "many", "many", "many"]


def test_who_has_the_fewest_running_is_next(kind):  # noqa: F811
    first, second = make_user("first"), make_user("second")
    ask(kind, first, first, first, second)

    assert [claim().account.username for _ in range(4)] == ["first", "second", "first", "first"]
    assert claim() is None


def test_work_of_the_site_takes_turns_too(kind):  # noqa: F811
    user = make_user("user")
    ask(kind, None, None, None, user)

    assert claim_names(4) == ["site", "user", "site", "site"]


def test_a_lane_does_not_wait_for_another(kind):  # noqa: F811
    with registered(name="slow", lane="slow") as slow:
        ask(slow), ask(kind)

        assert [claim("tests").kind, claim("slow").kind] == ["test", "slow"]


def test_only_one_of_two_workers_claims_a_job(kind):  # noqa: F811
    ask(kind)

    first, second = claim(), claim()

    assert (first.state, first.n_tries, second) == ("running", 1, None)


def test_the_job_of_a_dead_worker_is_lost_then_tried_again_within_bounds():
    ended = []
    with registered(most_tries=2, on_end=ended.append) as made:
        (job,) = ask(made)
        first = claim()

        assert lose_dead_jobs(now=NOW + DEAD_AFTER) == 0
        assert lose_dead_jobs(now=LATE) == 1
        second = claim(now=LATE)
        assert (second.pk, second.n_tries, second.started_at, ended) == (job.pk, 2, LATE, [])
        assert second.lease != first.lease
        assert lose_dead_jobs(now=LATE + DEAD_AFTER * 2) == 1

        job.refresh_from_db()
        assert (job.state, job.problem) == ("lost", "the worker running it exited, 2 times")
        assert ended == [job]
        assert [line.text for line in job.lines.all()] == [
            "lost: the worker running it exited",
            "queued again: try 2 of 2",
            "lost: the worker running it exited, 2 times",
        ]


def test_a_job_that_waited_for_long_is_not_late_when_it_begins(kind):  # noqa: F811
    ask(kind)
    begun = NOW + timedelta(hours=5)
    claim(now=begun)

    assert lose_dead_jobs(now=begun + DEAD_AFTER) == 0


def test_heartbeats_keep_jobs_and_lost_ones_are_listed(kind):  # noqa: F811
    ask(kind, None, None)
    kept, gone = claim(), claim()
    lose_job(gone, reason="it went", now=NOW)

    renew_heartbeats([kept.lease, gone.lease], now=LATE)

    assert list_taken_away([kept, gone]) == {gone.pk}
    assert lose_dead_jobs(now=LATE + DEAD_AFTER) == 0


def test_what_is_given_back_is_as_if_nobody_had_begun(kind):  # noqa: F811
    ask(kind)
    job = claim()

    assert give_back(job, reason="told to stop", now=NOW)

    assert not give_back(job, reason="told to stop", now=NOW)
    assert claim().n_tries == 1


def test_the_kind_is_told_of_what_is_given_back():
    told = []
    with registered(on_return=told.append) as made:
        ask(made)
        job = claim()
        give_back(job, reason="told to stop", now=NOW)
        give_back(job, reason="told to stop", now=NOW)

    assert told == [job]


def test_tries_that_the_work_counts_anew_are_not_held_against_it():
    with registered(most_tries=2) as made:
        ask(made)
        for _ in range(3):
            job = claim()
            JobHandle(job, now=lambda: NOW).count_tries_anew()
            lose_job(job, reason="killed", now=NOW)
            job.refresh_from_db()
            assert (job.state, job.n_tries) == ("queued", 1)


def test_another_try_comes_later_and_not_for_ever():
    with registered(most_tries=2) as made:
        ask(made)
        after = timedelta(seconds=10)
        assert try_again(claim(), reason="busy", after=after, now=NOW)
        assert claim(now=NOW + timedelta(seconds=9)) is None
        assert try_again(claim(now=NOW + after), reason="busy", after=after, now=NOW)

        job = Job.objects.get()
        assert (job.state, job.problem, job.n_tries) == ("failed", "busy", 2)


@pytest.mark.parametrize("n_jobs", [2, 6])
def test_claiming_takes_a_fixed_number_of_queries(kind, n_jobs, django_assert_num_queries):  # noqa: F811
    ask(kind, *[make_user("one")] * n_jobs, *[make_user("two")] * n_jobs)

    with django_assert_num_queries(5):
        claim_job("tests", now=NOW)


def test_jobs_that_ended_themselves_do_not_count_as_taken_away(kind):  # noqa: F811
    ask(kind, None)
    job = claim()
    run_job(job, now=lambda: NOW)

    assert list_taken_away([job]) == set()


def test_a_page_takes_what_waits_once_and_for_as_long_as_a_request_may_take(kind):  # noqa: F811
    queue_once(kind, key="one", now=NOW)

    taken, again = (claim_here(kind, key="one", now=NOW) for _ in range(2))
    renew_heartbeats([taken.lease], now=NOW)

    assert (taken.state, again) == ("running", None)
    assert claim() is None
    assert lose_dead_jobs(now=NOW + HERE) == 0
    assert lose_dead_jobs(now=NOW + HERE + DEAD_AFTER + timedelta(seconds=1)) == 1

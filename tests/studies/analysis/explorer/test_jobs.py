"""Tests of work that takes longer than a request, and is done by jobs."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from jobs.models import Job
from jobs.requests import cancel_job
from jobs.running_job import JobHandle
from jobs.worker.claiming import DEAD_AFTER, claim_job, lose_dead_jobs
from jobs.worker.running import run_waiting_jobs
from studies.analysis.explorer.choice import Choice, Slice
from studies.analysis.explorer.jobs import INTERVALS, MOST_PAGES, REPLACED, find_progress
from studies.analysis.explorer.loaded_study import open_study
from studies.analysis.explorer.page import (
    cancel_replaced,
    follow_agreement,
    follow_multiverse,
    show_agreement,
    show_multiverse,
)
from studies.analysis.explorer.report import explore, explore_whole, identify
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db(transaction=True)
WITH_INTERVALS = Choice(has_intervals=True, resamples=100)


def work_off():
    """Let a worker do all that is in the queue."""
    run_waiting_jobs(now=timezone.now)


def test_intervals_are_asked_for_once_and_arrive():
    study = make_rated_study()
    opened = open_study(study)

    asked, again = (show_agreement(opened, WITH_INTERVALS, now=NOW) for _ in range(2))

    assert (asked.progress.state, asked.work, again.work) == ("waiting", asked.work, asked.work)
    assert asked.explored == explore(opened, WITH_INTERVALS)
    assert Job.objects.count() == 1
    work_off()
    there = show_agreement(open_study(study), WITH_INTERVALS, now=NOW)
    assert (there.progress, there.work) == (None, "")
    assert there.explored == explore_whole(opened, WITH_INTERVALS)
    assert all(row.low is not None for row in there.explored.report.rows if row.value is not None)
    assert [row.letters for row in there.explored.report.rows] == ["a", "b"]


def test_steps_are_told_metric_by_metric(monkeypatch):
    opened = open_study(make_rated_study())
    work = identify("intervals", opened, WITH_INTERVALS)
    heard = []
    report = JobHandle.report

    def listen(handle, *told, **numbers):
        report(handle, *told, **numbers)
        progress = find_progress(INTERVALS, work, study=opened.study)
        bounded = [row.metric for row in progress.made.report.rows if row.low is not None]
        heard.append((progress.state, progress.n_done, progress.what, bounded))

    monkeypatch.setattr(JobHandle, "report", listen)
    show_agreement(opened, WITH_INTERVALS, now=NOW)
    work_off()

    assert heard == [
        ("running", 0, "reading the judgments", []),
        ("running", 0, "length", []),
        ("running", 1, "rouge-l", ["length"]),
        ("running", 2, "differences", ["length", "rouge-l"]),
        ("running", 3, "human ceiling", ["length", "rouge-l"]),
    ]
    assert find_progress(INTERVALS, work, study=opened.study).state == "done"


def test_work_that_was_asked_for_is_followed_when_judgments_come():
    study = make_rated_study()
    asked = show_agreement(open_study(study), WITH_INTERVALS, now=NOW)
    make_judgment(list_items(study)[0], make_rater(study, "late"), 1.0)
    work_off()

    followed = follow_agreement(open_study(study), WITH_INTERVALS, work=asked.work, now=NOW)

    assert followed.progress is None
    assert followed.explored.n_judgments == 37


def test_what_is_lost_with_the_cache_is_asked_for_again():
    study = make_rated_study()
    opened = open_study(study)
    asked = show_agreement(opened, WITH_INTERVALS, now=NOW)
    work_off()
    cache.clear()

    again = follow_agreement(opened, WITH_INTERVALS, work=asked.work, now=NOW)

    assert (again.progress.state, again.work) == ("waiting", asked.work)
    assert Job.objects.count() == 2


def test_work_of_a_dead_worker_waits_again():
    opened = open_study(make_rated_study())
    asked = show_agreement(opened, WITH_INTERVALS, now=NOW)
    claim_job(INTERVALS.lane, now=NOW)

    states = []
    for late in (0, 1):
        lose_dead_jobs(now=NOW + DEAD_AFTER + timedelta(seconds=late))
        states.append(follow_agreement(opened, WITH_INTERVALS, work=asked.work, now=NOW).progress.state)

    assert states == ["running", "waiting"]
    assert Job.objects.count() == 1


def test_work_of_another_study_is_not_told():
    study = make_rated_study()
    asked = show_agreement(open_study(study), WITH_INTERVALS, now=NOW)

    assert find_progress(INTERVALS, asked.work, study=make_study("other")) is None


def test_what_cannot_be_done_says_why():
    opened = open_study(make_rated_study(are_placeholders=True))
    choice = Choice(has_intervals=True, resampled=("raters",))

    show_agreement(opened, choice, now=NOW)
    work_off()

    shown = show_agreement(opened, choice, now=NOW)
    assert shown.progress.state == "failed"
    assert shown.progress.problem.startswith("study rated: its raters are placeholders")


def test_a_worker_computes_the_multiverse():
    opened = open_study(make_rated_study())
    choice = Choice(coefficient="pearson", slice=Slice(least_words=3), has_intervals=True)

    asked = show_multiverse(opened, choice, now=NOW)
    work_off()
    there = show_multiverse(opened, Choice(slice=Slice(least_words=3)), now=NOW)

    assert (asked.multiverse, asked.progress.state) == (None, "waiting")
    assert there.multiverse.metrics == ("length", "rouge-l")
    waited = show_multiverse(opened, choice, now=NOW, wait=True).multiverse
    assert there.multiverse.wins == waited.wins
    assert [each.ranks for each in there.multiverse.universes] == [each.ranks for each in waited.universes]


OTHER = Choice(coefficient="pearson", has_intervals=True, resamples=100)


def list_states():
    """Return the states of all jobs, oldest first."""
    return list(Job.objects.order_by("pk").values_list("state", flat=True))


def choose(opened, choice, *, page="first", has_ranks=False):
    """Do what the explorer does when options have been chosen on a page."""
    cancel_replaced(opened, choice, has_ranks=has_ranks, pages=[page], now=NOW)
    shown = show_agreement(opened, choice, now=NOW, page=page)
    return show_multiverse(opened, choice, now=NOW, page=page) if has_ranks else shown


@pytest.mark.parametrize("is_running", [False, True])
def test_other_options_of_the_same_page_cancel_the_earlier_job(is_running):
    opened = open_study(make_rated_study())
    first = choose(opened, WITH_INTERVALS)
    if is_running:
        claim_job(INTERVALS.lane, now=NOW)

    second = choose(opened, OTHER)

    assert list_states() == ["cancelled", "queued"]
    assert second.progress.state == "waiting"
    # A request for the earlier options that was on its way is told why there are no intervals, and does not queue them.
    for clear in (lambda: None, cache.clear):
        clear()
        followed = follow_agreement(opened, WITH_INTERVALS, work=first.work, now=NOW, page="first")
        assert (followed.progress.state, followed.progress.problem) == ("failed", REPLACED)
        assert followed.explored.n_judgments == 36
    assert list_states() == ["cancelled", "queued"]
    # Whoever chooses them again gets them.
    assert choose(opened, WITH_INTERVALS).progress.state == "waiting"
    assert list_states() == ["cancelled", "cancelled", "queued"]


def test_without_intervals_and_without_ranks_nothing_is_waited_for():
    opened = open_study(make_rated_study())
    choose(opened, WITH_INTERVALS, has_ranks=True)
    assert list_states() == ["queued", "queued"]

    choose(opened, Choice(has_intervals=False), has_ranks=True)
    assert list_states() == ["cancelled", "queued"]
    choose(opened, Choice(has_intervals=False))

    assert list_states() == ["cancelled", "cancelled"]


def test_the_reason_of_a_cancellation_is_the_one_that_was_given():
    opened = open_study(make_rated_study())
    asked = choose(opened, WITH_INTERVALS)
    cancel_job(Job.objects.get(), now=NOW, by="operator")

    followed = follow_agreement(opened, WITH_INTERVALS, work=asked.work, now=NOW, page="first")

    assert followed.progress.problem == "cancelled by operator"


def test_a_job_that_somebody_else_waits_for_goes_on():
    opened = open_study(make_rated_study())
    for page in ("first", "second"):
        choose(opened, WITH_INTERVALS, page=page)

    choose(opened, OTHER)
    # The page returns to the shared job, and does not wait for its newer one any more.
    choose(opened, WITH_INTERVALS)

    assert list_states() == ["queued", "cancelled"]


def test_a_job_that_both_pages_have_left_is_cancelled():
    opened = open_study(make_rated_study())
    for page in ("first", "second"):
        choose(opened, WITH_INTERVALS, page=page)

    choose(opened, OTHER, page="first")
    assert list_states() == ["queued", "queued"]
    choose(opened, OTHER, page="second")

    assert list_states() == ["cancelled", "queued"]
    assert Job.objects.get(state="queued").payload["pages"] == ["first", "second"]


def test_a_page_cancels_what_its_tab_waited_for_before_it():
    opened = open_study(make_rated_study())
    for page in ("first", "reloaded"):
        choose(opened, WITH_INTERVALS, page=page)

    cancel_replaced(opened, OTHER, has_ranks=False, pages=["first", "reloaded"], now=NOW)

    assert list_states() == ["cancelled"]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_job_that_a_program_waits_for_goes_on(is_first):
    opened = open_study(make_rated_study())
    for page in (None, "first") if is_first else ("first", None):
        show_agreement(opened, WITH_INTERVALS, now=NOW, page=page)

    choose(opened, OTHER)

    assert list_states() == ["queued", "queued"]


def test_a_job_notes_no_more_pages_than_a_bound_and_is_then_not_cancelled():
    opened = open_study(make_rated_study())
    names = [f"page {number}" for number in range(MOST_PAGES + 5)]
    for page in names:
        show_agreement(opened, WITH_INTERVALS, now=NOW, page=page)

    assert Job.objects.get().payload["pages"] == [*names[:MOST_PAGES], None]
    cancel_replaced(opened, OTHER, has_ranks=False, pages=names, now=NOW)
    assert list_states() == ["queued"]


def test_two_requests_of_a_page_at_the_same_time_are_one_page(monkeypatch):
    opened = open_study(make_rated_study())
    choose(opened, WITH_INTERVALS)
    with monkeypatch.context() as patch:
        # The second request has looked before the first one queued the job.
        patch.setattr("studies.analysis.explorer.jobs.find_job", lambda *_, **__: None)
        show_agreement(opened, WITH_INTERVALS, now=NOW, page="first")
    assert Job.objects.get().payload["pages"] == ["first"]

    choose(opened, OTHER)

    assert list_states() == ["cancelled", "queued"]


def test_jobs_of_other_pages_and_of_other_studies_go_on():
    opened, elsewhere = open_study(make_rated_study()), open_study(make_rated_study("elsewhere"))
    choose(opened, WITH_INTERVALS, page="second")
    choose(elsewhere, WITH_INTERVALS)

    choose(opened, OTHER)

    assert list_states() == ["queued"] * 3


def test_ranks_that_are_not_chosen_any_more_are_cancelled_and_intervals_go_on():
    opened = open_study(make_rated_study())
    show_agreement(opened, WITH_INTERVALS, now=NOW, page="first")
    first = show_multiverse(opened, WITH_INTERVALS, now=NOW, page="first")

    cancel_replaced(opened, WITH_INTERVALS, has_ranks=False, pages=["first"], now=NOW)

    assert list_states() == ["queued", "cancelled"]
    followed = follow_multiverse(opened, WITH_INTERVALS, work=first.work, now=NOW, page="first")
    assert (followed.progress.state, followed.progress.problem) == ("failed", REPLACED)
    assert list_states() == ["queued", "cancelled"]

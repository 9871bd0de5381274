"""Tests of the page fragment of a job, for its owner and operators, until the job ends."""

from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from jobs.enums import JobState
from jobs.models import Job
from jobs.requests import request_job
from jobs.templatetags.jobs import time_left
from tests.factories.studies import NOW, make_user
from tests.jobs.kinds import claim, kind, run_next  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make_user("owner")


@pytest.fixture
def browser(owner):
    browser = Client()
    browser.force_login(owner)
    return browser


@pytest.fixture
def job(kind, owner):  # noqa: F811
    return request_job(kind, account=owner, now=NOW)


def show(browser, job):
    return browser.get(f"/jobs/{job.token}/?again=/studies/new/")


def test_a_job_that_waits_looks_again_by_itself(browser, job):
    page = unescape(show(browser, job).content.decode())

    assert f'hx-get="/jobs/{job.token}/?again=%2Fstudies%2Fnew%2F"' in page
    assert '<a href="/studies/new/">refresh</a>' in page
    assert "No worker is running, so it has not started." in page


def test_a_job_that_waits_says_for_which_job(browser, job, kind, owner):  # noqa: F811
    Job.objects.filter(pk=job.pk).update(requested_at=timezone.now())
    assert "Starting soon." in show(browser, job).content.decode()

    other = request_job(kind, account=make_user("other"), now=NOW)
    Job.objects.filter(pk=other.pk).update(state=JobState.RUNNING, lease="1", started_at=NOW, heartbeat=NOW)

    assert f"Waiting until “{kind.title}” has ended." in show(browser, job).content.decode()


def test_jobs_before_it_are_counted(browser, job, kind, owner):  # noqa: F811
    second = request_job(kind, account=owner, now=NOW)

    assert "1 of your jobs is ahead of it." in show(browser, second).content.decode()


def test_a_job_that_waits_says_how_far_the_running_one_is(browser, job, kind, owner):  # noqa: F811
    claim()
    Job.objects.update(n_done=30, n_total=32)
    second = request_job(kind, account=owner, now=NOW)
    third = request_job(kind, account=owner, now=NOW)

    assert f"Waiting until “{kind.title}” has ended: 30 of 32 done." in show(browser, second).content.decode()
    assert (
        f"1 of your jobs is ahead of it. “{kind.title}” is running: 30 of 32 done."
        in show(browser, third).content.decode()
    )


def test_a_job_that_runs_says_how_far_it_is(browser, job):
    claim()
    Job.objects.update(message="Looking at pictures.", n_done=40, n_total=200)

    page = show(browser, job).content.decode()

    assert 'value="40" max="200"' in page
    assert "Looking at pictures. 40 of 200." in page


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(1, "1 second"), (40, "40 seconds"), (119, "119 seconds"), (602, "10 minutes"), (9000, "2 hours")],
)
def test_the_time_left_is_told_in_the_largest_fitting_unit(seconds, told):
    assert time_left(seconds) == told


def test_the_end_loads_the_page_anew(browser, job):
    run_next()

    response = show(browser, job)

    assert response.headers["HX-Refresh"] == "true"
    assert "hx-get" not in response.content.decode()


def test_a_failure_is_told(browser, kind, owner):  # noqa: F811
    job = request_job(kind, account=owner, now=NOW, payload={"fail": "the <file> is empty"})
    run_next()

    assert "The &lt;file&gt; is empty." in show(browser, job).content.decode()


def test_cancelling_leads_back_to_the_page(browser, job):
    answer = browser.post(f"/jobs/{job.token}/cancel/", {"again": "/studies/new/"})
    again = browser.post(f"/jobs/{job.token}/cancel/", {"again": "//elsewhere.example/"})

    job.refresh_from_db()
    assert (answer.url, job.state, job.problem) == ("/studies/new/", "cancelled", "cancelled by owner")
    assert again.url == "/"


def test_the_job_of_another_is_not_there(job):
    answers = []
    for name, extra in (("stranger", {}), ("operator", {"is_superuser": True})):
        person = Client()
        person.force_login(make_user(name, **extra))
        answers.append([show(person, job).status_code, person.post(f"/jobs/{job.token}/cancel/").status_code])

    assert answers == [[404, 404], [200, 302]]


def test_anonymous_users_are_redirected_to_the_login(client, job):
    assert show(client, job).status_code == 302
    assert client.post(f"/jobs/{job.token}/cancel/").status_code == 302
    assert Job.objects.get().state == "queued"


@pytest.mark.parametrize("after", [1, 600])
def test_older_jobs_are_polled_less_often(browser, job, after):
    Job.objects.update(requested_at=job.requested_at + (timedelta(days=9000) if after == 1 else timedelta()))

    assert ("load delay:250ms" in show(browser, job).content.decode()) == (after == 1)

"""Tests of the clock of leases: visitors cannot change it, a simulation in the same process can."""

from datetime import UTC, datetime, timedelta

import pytest
import requests
from django.utils import timezone

from studies.models import Assignment, Rater
from studies.shared.clock import use_clock
from studies.simulation.browser import Browser, read_page
from tests.factories.open_studies import make_open_study

pytestmark = pytest.mark.django_db(transaction=True)
LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)
NAMES = ("now", "clock", "date", "time", "accordance-now", "accordance-clock", "accordance-simulation")
LIES = {
    **{form(name): LONG_AGO.isoformat() for name in NAMES for form in (str, "x-{}".format)},
    "Date": "Mon, 01 Jan 2001 00:00:00 GMT",
}


def join(open_page, link):
    """Join and take a task; return when."""
    form = open_page(link).get_form(link)
    open_page(link, {**form.hidden, "agrees": "on"})
    open_page(f"{link}task/")
    (assignment,) = Assignment.objects.filter(rater=Rater.objects.latest("pk"))
    return Rater.objects.latest("pk").joined_at, assignment.expires_at


def test_headers_fields_and_cookies_do_not_move_the_clock(live_server):
    link = f"/r/{make_open_study().join_token}/"
    visitor = requests.Session()
    visitor.headers.update(LIES)
    visitor.cookies.update(dict.fromkeys(NAMES, LONG_AGO.isoformat()))

    def open_page(path, fields=None):
        lies = dict.fromkeys(NAMES, LONG_AGO.isoformat())
        method, data = ("POST", {**lies, **fields}) if fields else ("GET", None)
        answer = visitor.request(method, f"{live_server.url}{path}", params=lies, data=data, timeout=30)
        answer.raise_for_status()
        return read_page(answer.text, url=path, status=answer.status_code)

    before = timezone.now()
    with use_clock(lambda: LONG_AGO):
        joined_at, expires_at = join(open_page, link)

    # Not even while a simulation goes on in another thread of the server's process.
    assert before <= joined_at <= timezone.now()
    assert expires_at > before


def test_code_of_this_process_can_pass_a_clock():
    link = f"/r/{make_open_study().join_token}/"
    browser = Browser()

    def open_page(path, fields=None):
        return browser.send(browser.open(path).get_form(path), fields) if fields else browser.open(path)

    with use_clock(lambda: LONG_AGO):
        joined_at, expires_at = join(open_page, link)

    assert joined_at == LONG_AGO
    assert LONG_AGO < expires_at < LONG_AGO + timedelta(days=1)

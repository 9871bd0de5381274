"""Tests of the simulated browser at the real pages."""

import pytest

from studies.models import Rater
from studies.simulation.browser import Browser
from tests.factories.open_studies import make_open_study

pytestmark = pytest.mark.django_db


def test_reads_headings_links_and_forms_and_sends_what_is_hidden():
    study = make_open_study()
    browser = Browser()
    page = browser.open(f"/r/{study.join_token}/")
    form = page.get_form(f"/r/{study.join_token}/")

    assert (page.status, page.heading) == (200, "Study")
    assert set(form.hidden) == {"csrfmiddlewaretoken", "nonce", "arrival"}
    after = browser.send(form, {"agrees": "on"})

    assert (after.status, after.heading) == (200, "Instructions")
    assert after.links["Start with the first task"] == f"/r/{study.join_token}/task/"
    assert browser.read_cookie("rater-").partition(":")[0] == Rater.objects.get().pseudonym
    assert page.get_form("/nowhere/") is None


def test_refusal_is_a_page_too():
    assert Browser().open("/r/made-up/").status == 404

"""Tests of answers that are not accepted yet: forgotten in time, kept from others, marked until they are right."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from studies.enums import TaskKind
from studies.models import Assignment
from tests.e2e.looking import follow
from tests.e2e.raters.steps import agree, count_drafts, expect_task, expect_thanks, open_link, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _open(page: Page, live_server, **study: Any) -> None:
    open_link(page, live_server, make_open_study(**study))
    agree(page)
    start(page)


@pytest.mark.parametrize("leave", ["Stop for now", "Leave the study"])
def test_whoever_leaves_leaves_nothing_behind(page: Page, live_server, leave: str) -> None:
    _open(page, live_server, kind=TaskKind.CAPTION, n_tasks=1)
    page.get_by_label("Your caption").fill("A secret dog")
    assert count_drafts(page) == 1
    follow(page.locator(".aside").get_by_text(leave))
    if leave == "Leave the study":
        follow(page.get_by_role("button", name="Leave the study"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Leave the study")

    assert count_drafts(page) == 0


def test_drafts_end_with_the_lease(page: Page, live_server) -> None:
    _open(page, live_server, kind=TaskKind.CAPTION, n_tasks=1)
    page.get_by_label("Your caption").fill("A secret dog")
    ends = page.evaluate("() => JSON.parse(Object.values(localStorage)[0]).endsAt / 1000")
    assert abs(ends - Assignment.objects.get().expires_at.timestamp()) < 30

    page.evaluate(
        """() => { const [key] = Object.keys(localStorage), draft = JSON.parse(localStorage[key]);
                   localStorage[key] = JSON.stringify({ ...draft, endsAt: Date.now() - 1 }); }"""
    )
    page.reload()
    expect(page.get_by_label("Your caption")).to_have_value("")
    assert count_drafts(page) == 0


def test_drafts_are_of_one_rater(page: Page, live_server) -> None:
    _open(page, live_server, kind=TaskKind.CAPTION, n_tasks=1)
    page.get_by_label("Your caption").fill("A secret dog")
    page.context.clear_cookies()
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    page.goto(page.url.replace("task/", ""))
    assert count_drafts(page) == 0
    agree(page)
    start(page)

    expect(page.get_by_label("Your caption")).to_have_value("")


def test_refused_correction_is_a_page_of_its_own(page: Page, live_server) -> None:
    _open(page, live_server, kind=TaskKind.CAPTION, n_tasks=2)
    page.get_by_label("Your caption").fill("A brown dog leaps over a fallen log in the woods.")
    save(page)
    expect_task(page, 2, 2)
    follow(page.get_by_role("link", name="Back to my last answer"))
    page.get_by_label("Your caption").fill("Too short")
    save(page)
    expect(page.get_by_role("alert").get_by_role("link", name="Write at least eight words")).to_be_visible()
    assert page.url.endswith("/last/")
    page.reload()

    expect(page.get_by_label("Your caption")).to_have_value("Too short")


def test_marks_go_as_soon_as_an_answer_is_there(page: Page, live_server) -> None:
    _open(page, live_server, kind=TaskKind.SET_RATING, n_tasks=1)
    save(page)
    summary = page.get_by_role("alert")
    expect(summary.get_by_role("heading")).to_have_text("3 answers are missing")
    sets = [page.get_by_role("group", name=f"Set {letter}") for letter in "ABC"]
    sets[0].get_by_role("radio").first.check()

    expect(summary.get_by_role("heading")).to_have_text("2 answers are missing")
    expect(summary.get_by_role("link")).to_have_count(2)
    expect(sets[0].locator(".error")).to_have_count(0)
    assert "wrong" not in sets[0].get_attribute("class")
    assert "wrong" in sets[1].get_attribute("class")
    page.reload()
    expect(summary.get_by_role("heading")).to_have_text("2 answers are missing")
    for one in sets[1:]:
        one.get_by_role("radio").last.check()
    expect(summary).to_have_count(0)
    expect(page).to_have_title(re.compile("^Task 1 of 1"))
    save(page)
    expect_thanks(page)

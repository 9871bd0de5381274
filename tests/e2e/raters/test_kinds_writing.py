"""Tests of the checks while writing a caption, and of captions that violate rules."""

import pytest
from playwright.sync_api import Locator, Page, expect

from studies.enums import TaskKind
from studies.models import Judgment
from tests.e2e.looking import SMALL, check_page
from tests.e2e.raters.steps import agree, expect_thanks, open_link, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def box(page: Page, live_server) -> Locator:
    """Where the caption of the only task is written."""
    page.set_viewport_size(SMALL)
    open_link(page, live_server, make_open_study(kind=TaskKind.CAPTION, n_tasks=1))
    agree(page)
    start(page)
    return page.get_by_label("Your caption")


def _expect_state(page: Page, rule: str, state: str) -> None:
    expect(page.get_by_role("listitem").filter(has_text=rule).locator("[data-state]")).to_have_text(state)


def test_rules_are_checked_while_one_types(page: Page, box: Locator) -> None:
    _expect_state(page, "Write at least eight words.", "")
    box.press_sequentially("There is a man")

    _expect_state(page, "Do not start with “There is”.", "Not yet")
    _expect_state(page, "Write at least eight words.", "Not yet")
    _expect_state(page, "Do not give people proper names.", "Met")
    expect(page.get_by_text("Words: 4 of at least 8")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Not yet: Write at least eight words.")).to_be_visible()
    check_page(page, "caption-open-rules")
    box.fill("A man named Bob was seen on a bench")
    _expect_state(page, "Do not start with “There is”.", "Met")
    _expect_state(page, "Write at least eight words.", "Met")
    _expect_state(page, "Do not give people proper names.", "Please check")
    _expect_state(page, "Do not describe anything that may have happened before", "Please check")
    save(page)

    expect_thanks(page)
    assert [(row.value, row.answer) for row in Judgment.objects.all()] == [
        (None, {"caption": "A man named Bob was seen on a bench", "warnings": ["past-or-future", "names"]})
    ]


def test_caption_with_numbers_is_written_and_a_refused_one_is_kept_with_its_reasons(page: Page, box: Locator) -> None:
    box.press_sequentially("2 dogs and 1 cat lie on 3 red chairs")
    expect(box).to_have_value("2 dogs and 1 cat lie on 3 red chairs")

    box.fill("There is a man.")
    save(page)

    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary.get_by_role("heading")).to_have_text("Please look at one answer again")
    expect(summary.get_by_role("link")).to_have_count(2)
    check_page(page, "caption-error")
    summary.get_by_role("link").first.click()
    expect(box).to_be_focused()
    expect(box).to_have_value("There is a man.")
    assert Judgment.objects.count() == 0

    # The mark goes when the caption keeps the rules, and no sooner.
    box.fill("A brown dog leaps over")
    expect(summary).to_have_count(1)
    box.fill("A brown dog leaps over a fallen log in the woods")
    expect(summary).to_have_count(0)
    expect(page.locator(".error")).to_have_count(0)

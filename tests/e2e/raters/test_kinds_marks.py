"""Tests that a caption cannot be both best and worst, on the page and on the server."""

import pytest
from playwright.sync_api import Locator, Page, expect

from studies.enums import TaskKind
from studies.models import Judgment
from tests.e2e.looking import check_page
from tests.e2e.raters.kind_cases import press, see_keys
from tests.e2e.raters.steps import agree, expect_thanks, open_link, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_caption_bears_the_newer_of_two_marks(page: Page, live_server) -> None:
    open_link(page, live_server, make_open_study(kind=TaskKind.BEST_WORST, n_tasks=1))
    agree(page)
    start(page)
    see_keys(page)
    best, worst = (page.get_by_role("radio", name=name) for name in ("Best", "Worst"))
    for mark in ("Best", "Worst"):
        expect(page.get_by_role("radio", name=f"{mark} “A dog jumping over a log.”", exact=True)).to_have_count(1)
    _press_the_same_number_twice(page, best, worst)

    best.nth(1).click()
    worst.nth(1).click()
    expect(worst.nth(1)).to_be_checked()
    expect(best.nth(1)).not_to_be_checked()
    expect(
        page.get_by_text("The same caption cannot be both best and worst. Choose another one as well.")
    ).to_be_visible()
    save(page)
    expect(page.get_by_role("alert").get_by_role("heading")).to_have_text("One answer is missing")
    expect(worst.nth(1)).to_be_checked()
    check_page(page, "best_worst-error")
    best.nth(0).click()
    save(page)
    expect_thanks(page)
    assert sorted(Judgment.objects.values_list("value", flat=True)) == [-1, 0, 1]


def _press_the_same_number_twice(page: Page, best: Locator, worst: Locator) -> None:
    """Mark one caption with both keys, which leaves the best open, and then another one."""
    press(page, "2", "2")
    expect(page.get_by_role("radio", checked=True)).to_have_count(1)
    expect(best.first).to_be_focused()
    press(page, "3")
    expect(best.nth(2)).to_be_checked()
    expect(worst.nth(1)).to_be_checked()

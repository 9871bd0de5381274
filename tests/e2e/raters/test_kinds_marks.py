"""Tests that a caption cannot be both best and worst, on the page and on the server."""

import pytest
from playwright.sync_api import Page, expect

from studies.enums import TaskKind
from studies.models import Judgment
from tests.e2e.looking import check_page
from tests.e2e.raters.kind_cases import press, see_keys
from tests.e2e.raters.steps import agree, expect_thanks, open_link, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def task(page: Page, live_server) -> Page:
    open_link(page, live_server, make_open_study(kind=TaskKind.BEST_WORST, n_tasks=1))
    agree(page)
    start(page)
    see_keys(page)
    return page


def test_newer_mark_takes_the_older_one_back(task: Page) -> None:
    best, worst = (task.get_by_role("radio", name=name) for name in ("Best", "Worst"))
    best.nth(1).click()
    worst.nth(1).click()

    expect(worst.nth(1)).to_be_checked()
    expect(best.nth(1)).not_to_be_checked()
    expect(
        task.get_by_text("The same caption cannot be both best and worst. Choose another one as well.")
    ).to_be_visible()
    save(task)
    expect(task.get_by_role("alert").get_by_role("heading")).to_have_text("One answer is missing")
    expect(worst.nth(1)).to_be_checked()
    check_page(task, "best_worst-error")
    best.nth(0).click()
    save(task)
    expect_thanks(task)
    assert sorted(Judgment.objects.values_list("value", flat=True)) == [-1, 0, 1]


def test_same_number_twice_leaves_the_best_open(task: Page) -> None:
    press(task, "2", "2")
    expect(task.get_by_role("radio", checked=True)).to_have_count(1)
    expect(task.get_by_role("radio", name="Best").first).to_be_focused()
    press(task, "3")

    expect(task.get_by_role("radio", name="Best").nth(2)).to_be_checked()
    expect(task.get_by_role("radio", name="Worst").nth(1)).to_be_checked()


def test_radio_buttons_say_mark_and_caption(task: Page) -> None:
    for mark in ("Best", "Worst"):
        expect(task.get_by_role("radio", name=f"{mark} “A dog jumping over a log.”", exact=True)).to_have_count(1)

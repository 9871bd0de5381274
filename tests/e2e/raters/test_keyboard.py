"""Tests of a rater who uses only the keyboard."""

import pytest
from playwright.sync_api import Page, expect

from studies.enums import TaskKind
from studies.models import Judgment
from tests.e2e.looking import follow_by_key, skip_to_content
from tests.e2e.raters.steps import expect_task, expect_thanks, open_link
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def _see_keys(page: Page) -> None:
    """Wait, like a person, for the keys to be shown beside the choices: then the script is there."""
    expect(page.locator(".choice kbd").first).to_be_visible()


def _join(page: Page, live_server, study) -> None:
    """Reach the first task with Tab, Space and Enter alone, by the link that skips the top."""
    open_link(page, live_server, study)
    skip_to_content(page)
    _press(page, "Tab", "Space", "Tab")
    follow_by_key(page)
    expect(page.get_by_role("heading", name="Instructions")).to_be_visible()
    _press(page, "Tab", "Tab")
    follow_by_key(page)
    expect_task(page, 1, study.tasks.count())


def _answer_all(page: Page, *keys: str) -> None:
    """Answer each task with one key."""
    for number, key in enumerate(keys, start=1):
        expect_task(page, number, len(keys))
        _see_keys(page)
        _press(page, key)
        expect(page.get_by_role("radio", checked=True)).to_be_focused()
        follow_by_key(page)
    expect_thanks(page)


def test_number_keys_choose_and_enter_saves(page: Page, live_server) -> None:
    _join(page, live_server, make_open_study(kind=TaskKind.PAIRWISE, n_tasks=3))
    _answer_all(page, "1", "2", "0")

    # Which of 1 and 2 is the item's own candidate depends on the side it was shown on.
    assert sorted(abs(value) for value in Judgment.objects.values_list("value", flat=True)) == [0.0, 1.0, 1.0]
    assert {judgment.answer["choice"] for judgment in Judgment.objects.all()} == {"first", "second", "none"}


def test_sets_are_rated_with_number_keys_and_stay_in_view(page: Page, live_server) -> None:
    page.set_viewport_size({"width": 1280, "height": 560})
    _join(page, live_server, make_open_study(kind=TaskKind.SET_RATING, n_tasks=1))
    _see_keys(page)
    expect(page.get_by_text("On a keyboard: 0 to 9 for tenths, x for 1")).to_be_visible()
    _press(page, "3", "x")
    last = page.get_by_role("group", name="Set C")
    expect(last.get_by_role("radio").first).to_be_focused()

    for shown in (*last.get_by_role("listitem").all(), *last.get_by_role("radio").all()):
        expect(shown).to_be_in_viewport(ratio=1)
    _press(page, "0", "Enter")
    expect_thanks(page)
    assert sorted(Judgment.objects.values_list("value", flat=True)) == [0.0, 0.3, 1.0]


def test_number_keys_can_be_switched_off_stay_so_and_choose_again(page: Page, live_server) -> None:
    study = make_open_study(kind=TaskKind.RATING, n_tasks=3)
    _join(page, live_server, study)

    page.get_by_role("button", name="Turn number keys off").click()
    _press(page, "2")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)

    page.reload()
    expect(page.get_by_role("button", name="Turn number keys on")).to_be_visible()
    _press(page, "2")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)

    page.get_by_role("button", name="Turn number keys on").click()
    _press(page, "2")
    expect(page.get_by_role("radio", checked=True)).to_have_count(1)
    _answer_all(page, "4", "1", "3")
    assert sorted(Judgment.objects.values_list("value", flat=True)) == [1.0, 3.0, 4.0]


def test_several_items_are_answered_one_after_the_other(page: Page, live_server) -> None:
    study = make_open_study(kind=TaskKind.RATING, n_tasks=1, n_items=2)
    _join(page, live_server, study)

    _see_keys(page)
    _press(page, "4", "2")
    expect(page.get_by_role("group", name="Caption B").get_by_role("radio", checked=True)).to_be_focused()
    _press(page, "Enter")
    expect_thanks(page)

    assert sorted(Judgment.objects.values_list("value", flat=True)) == [2.0, 4.0]

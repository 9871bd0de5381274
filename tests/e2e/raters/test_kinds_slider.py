"""Tests that a slider has no position until it is set by any means."""

import pytest
from playwright.sync_api import Locator, Page, expect

from studies.enums import TaskKind
from studies.models import Judgment
from tests.e2e.looking import NARROW, check_page
from tests.e2e.raters.kind_cases import SLIDER
from tests.e2e.raters.steps import agree, expect_thanks, open_link, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def slider(page: Page, live_server) -> Locator:
    """The slider of the only task of a study, untouched."""
    page.set_viewport_size(NARROW)
    open_link(page, live_server, make_open_study(kind=TaskKind.RATING, n_tasks=1, scale=(), slider=SLIDER))
    agree(page)
    start(page)
    slider = page.get_by_role("slider", name="Your value, 0 to 100")
    expect(slider).to_have_attribute("aria-valuetext", "nothing chosen yet")
    return slider


def _expect_value(page: Page, slider: Locator, value: str) -> None:
    expect(slider).to_have_attribute("aria-valuetext", value)
    expect(slider).to_have_value(value)
    expect(page.get_by_role("spinbutton")).to_have_value(value)


def test_an_untouched_slider_gives_no_answer_and_a_click_on_the_middle_is_the_middle(
    page: Page, slider: Locator
) -> None:
    expect(page.get_by_role("spinbutton")).to_have_value("")
    check_page(page, "slider-nowhere")
    save(page)

    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_role("link", name="Choose a value on the line.").click()
    expect(page.get_by_role("spinbutton")).to_be_focused()
    check_page(page, "slider-error")
    assert Judgment.objects.count() == 0

    slider.click()
    _expect_value(page, slider, "50")
    save(page)
    expect_thanks(page)
    assert list(Judgment.objects.values_list("value", "answer")) == [(50.0, {"rating": 50.0})]


def test_slider_is_large_enough_for_fingers_and_follows_keys_and_a_typed_number(page: Page, slider: Locator) -> None:
    number = page.get_by_role("spinbutton")
    boxes = [target.bounding_box() for target in (slider, number)]
    assert min(box["height"] for box in boxes) >= 44
    assert boxes[0]["width"] >= 200

    for keys, value in (("Space", "50"), ("ArrowRight", "51"), ("Home", "0"), ("End PageDown", "90")):
        slider.focus()
        for key in keys.split():
            page.keyboard.press(key)
        _expect_value(page, slider, value)
        _untouch(page, slider)

    number.fill("73")
    _expect_value(page, slider, "73")
    number.fill("")
    expect(slider).to_have_attribute("aria-valuetext", "nothing chosen yet")


def _untouch(page: Page, slider: Locator) -> None:
    """Take the value away, and load the page again: the slider stands in the middle, as at first."""
    page.get_by_role("spinbutton").fill("")
    page.reload()
    expect(slider).to_have_attribute("aria-valuetext", "nothing chosen yet")
    expect(slider).to_have_value("50")

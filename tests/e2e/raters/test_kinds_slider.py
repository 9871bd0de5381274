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


def test_an_untouched_slider_gives_no_answer(page: Page, slider: Locator) -> None:
    expect(page.get_by_role("spinbutton")).to_have_value("")
    check_page(page, "slider-nowhere")
    save(page)

    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_role("link", name="Choose a value on the line.").click()
    expect(page.get_by_role("spinbutton")).to_be_focused()
    check_page(page, "slider-error")
    assert Judgment.objects.count() == 0


def test_click_on_the_middle_is_the_middle(page: Page, slider: Locator) -> None:
    slider.click()

    _expect_value(page, slider, "50")
    save(page)
    expect_thanks(page)
    assert list(Judgment.objects.values_list("value", "answer")) == [(50.0, {"rating": 50.0})]


@pytest.mark.parametrize(
    ("keys", "value"),
    [(["Space"], "50"), (["ArrowRight"], "51"), (["Home"], "0"), (["End", "PageDown"], "90")],
    ids=lambda keys: "+".join(keys) if isinstance(keys, list) else keys,
)
def test_keys_choose(page: Page, slider: Locator, keys: list[str], value: str) -> None:
    slider.focus()
    for key in keys:
        page.keyboard.press(key)

    _expect_value(page, slider, value)


def test_typed_number_moves_the_slider_and_an_empty_one_takes_it_away(page: Page, slider: Locator) -> None:
    page.get_by_role("spinbutton").fill("73")
    _expect_value(page, slider, "73")

    page.get_by_role("spinbutton").fill("")
    expect(slider).to_have_attribute("aria-valuetext", "nothing chosen yet")


def test_targets_are_large_enough_for_fingers(page: Page, slider: Locator) -> None:
    boxes = [target.bounding_box() for target in (slider, page.get_by_role("spinbutton"))]

    assert min(box["height"] for box in boxes) >= 44
    assert boxes[0]["width"] >= 200

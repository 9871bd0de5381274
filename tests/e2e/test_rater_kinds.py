"""A rater finishes a study of each kind with the mouse, on a desktop and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from studies.enums import TaskKind
from studies.models import Judgment
from tests.e2e.looking import NARROW, PHONE, check_page
from tests.e2e.rater_steps import expect_task, expect_thanks, join_and_start, save
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DESKTOP = {"width": 1280, "height": 800}
CLICKS = {
    TaskKind.PAIRWISE: lambda page: page.get_by_role("radio").first.click(),
    TaskKind.RATING: lambda page: page.locator("label", has_text="Minor mistakes").click(),
    TaskKind.SET_RATING: lambda page: [
        page.get_by_role("group", name=f"Set {letter}").get_by_role("radio", name="0.3", exact=True).click()
        for letter in "ABC"
    ],
}


@pytest.mark.parametrize("size", [DESKTOP, PHONE, NARROW], ids=["desktop", "phone", "narrow"])
def test_several_captions_stand_beside_one_picture(page: Page, live_server, size: dict) -> None:
    page.set_viewport_size(size)
    join_and_start(page, live_server, make_open_study(n_tasks=1, n_items=3), name="several")

    expect(page.get_by_role("img", name="The image to judge by")).to_have_count(1)
    expect(page.locator("fieldset")).to_have_count(3)
    check_page(page, "several-3-task")


@pytest.mark.parametrize("width", [1280, 768, 481, 480, 390, 320])
def test_ends_of_the_strip_stand_at_the_first_and_last_choice(page: Page, live_server, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    join_and_start(page, live_server, make_open_study(kind=TaskKind.SET_RATING, n_tasks=1), name="ends")
    check_page(page, "ends-3-task")
    strip = page.get_by_role("group", name="Set A")
    low, high = (strip.get_by_text(text).bounding_box() for text in ("0: all say the same", "1: all differ"))
    boxes = [choice.bounding_box() for choice in strip.locator(".choice").all()]

    assert min(min(box["width"], box["height"]) for box in boxes) >= 24
    assert low["x"] == pytest.approx(boxes[0]["x"], abs=1)
    assert low["y"] < boxes[0]["y"]
    assert high["x"] + high["width"] == pytest.approx(boxes[-1]["x"] + boxes[-1]["width"], abs=1)
    # Nothing stands between a label and its choice.
    gap = max(high["y"], boxes[-1]["y"]) - min(high["y"] + high["height"], boxes[-1]["y"] + boxes[-1]["height"])
    assert 0 <= gap < 16


@pytest.mark.parametrize("size", [DESKTOP, PHONE, NARROW], ids=["desktop", "phone", "narrow"])
@pytest.mark.parametrize("kind", TaskKind)
def test_rater_finishes_a_study(page: Page, live_server, kind: TaskKind, size: dict) -> None:
    page.set_viewport_size(size)
    study = make_open_study(kind=kind)
    join_and_start(page, live_server, study, name=kind)
    for number in (1, 2):
        expect_task(page, number, 2)
        expect(page.get_by_role("radio", checked=True)).to_have_count(0)
        CLICKS[kind](page)
        if number == 1:
            check_page(page, f"{kind}-3-task")
        save(page)
    expect_thanks(page)
    check_page(page, f"{kind}-4-thanks")

    values = sorted(Judgment.objects.values_list("value", flat=True))
    expected = {
        # The first caption shown is the item's own candidate in one of two neighbouring tasks.
        TaskKind.PAIRWISE: [-1.0, 1.0],
        TaskKind.RATING: [3.0, 3.0],
        TaskKind.SET_RATING: [0.3] * 6,
    }
    assert values == expected[kind]
    assert all(0 < elapsed < 60_000 for elapsed in Judgment.objects.values_list("elapsed_ms", flat=True))

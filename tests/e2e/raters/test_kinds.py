"""Tests of studies of each kind with the mouse and with keys alone, at any size, in dark mode and forced colours."""

import time
from collections.abc import Iterable

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from studies.enums import TaskKind
from studies.models import Judgment
from tests.e2e.looking import NARROW, PHONE, SMALL, check_page, check_sizes
from tests.e2e.raters.kind_cases import CASES, KindCase
from tests.e2e.raters.steps import DESKTOP, count_drafts, expect_task, expect_thanks, join_and_start, save
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_several_captions_stand_beside_one_picture(page: Page, live_server) -> None:
    sizes = (DESKTOP, PHONE, NARROW)
    join_and_start(page, live_server, make_open_study(n_tasks=1, n_items=3), name="several", sizes=sizes)

    expect(page.get_by_role("img", name="Image for this task")).to_have_count(1)
    expect(page.locator("fieldset")).to_have_count(3)
    check_sizes(page, "several-3-task", *sizes)


def test_ends_of_the_strip_stand_at_the_first_and_last_choice(page: Page, live_server) -> None:
    sizes = [{"width": width, "height": 800} for width in (1280, 768, 481, 480, 390, 320)]
    join_and_start(
        page, live_server, make_open_study(kind=TaskKind.SET_RATING, n_tasks=1), name="ends", sizes=tuple(sizes)
    )
    for size in sizes:
        check_sizes(page, "ends-3-task", size)
        _expect_ends_at_choices(page.get_by_role("group", name="Set A"), f"{size['width']} pixels")


def _expect_ends_at_choices(strip: Locator, where: str) -> None:
    low, high = (strip.get_by_text(text).bounding_box() for text in ("0: all say the same", "1: all differ"))
    boxes = [choice.bounding_box() for choice in strip.locator(".choice").all()]

    assert min(min(box["width"], box["height"]) for box in boxes) >= 24, where
    assert low["x"] == pytest.approx(boxes[0]["x"], abs=1), where
    assert low["y"] < boxes[0]["y"], where
    assert high["x"] + high["width"] == pytest.approx(boxes[-1]["x"] + boxes[-1]["width"], abs=1), where
    # Nothing stands between a label and its choice.
    gap = max(high["y"], boxes[-1]["y"]) - min(high["y"] + high["height"], boxes[-1]["y"] + boxes[-1]["height"])
    assert 0 <= gap < 16, where


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rater_finishes_a_study(page: Page, live_server, case: KindCase) -> None:
    """Four tasks: the first with all looks, the second and third at small sizes, the last by keyboard."""
    study = make_open_study(kind=case.kind, n_tasks=4, **case.design)
    began = time.monotonic()
    join_and_start(page, live_server, study, name=case.name, sizes=(NARROW, DESKTOP))
    _expect_untouched(page, 1)
    _expect_light_and_still(page)
    case.click(page)
    _look(page, case.name)
    page.reload()
    for number, size in ((2, SMALL), (3, NARROW), (4, DESKTOP)):
        # Before the next task, whose script then starts at this size.
        page.set_viewport_size(size)
        save(page)
        _expect_untouched(page, number)
        assert Judgment.objects.count() == len(case.values) * (number - 1)
        if number < 4:
            case.click(page)
            check_page(page, f"{case.name}-3-task-loaded")
    case.press(page)
    expect_thanks(page)

    assert _list_values() == _sort(case.values * 3 + (case.pressed or case.values))
    most = 1000 * (time.monotonic() - began)
    assert all(0 < elapsed < most for elapsed in Judgment.objects.values_list("elapsed_ms", flat=True))


def _expect_untouched(page: Page, number: int) -> None:
    """Wait for a task of which nothing is answered, and of those before it nothing kept."""
    expect_task(page, number, 4)
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    assert count_drafts(page) == 0


def _expect_light_and_still(page: Page) -> None:
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.add_init_script(_MEASURE_SHIFT)
    page.reload(wait_until="networkidle")

    sizes = {response.url: len(response.body()) for response in responses if "/images/" not in response.url}
    assert {url.rpartition(".")[2] for url in sizes} >= {"css", "js"}
    assert sum(sizes.values()) < 60_000
    # An image is loaded lazily, once the page is drawn: on a busy machine after the network was idle for a while.
    page.wait_for_function("[...document.images].every((image) => image.naturalWidth > 0)")
    # What the script adds may come after the first paint; an image without room for it would count 0.1 and more.
    assert page.evaluate("window.shifted") < 0.05
    assert {image.get_attribute("loading") for image in page.locator("img").all()} == {"lazy"}
    assert all(image.get_attribute("width") and image.get_attribute("height") for image in page.locator("img").all())


_MEASURE_SHIFT = """
    window.shifted = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.shifted += entry.value; }))
        .observe({ type: "layout-shift", buffered: true });
"""


def _look(page: Page, name: str) -> None:
    """Look at an answered task: in the light, in the dark, in forced colours, and when all runs from right to left."""
    check_sizes(page, f"{name}-3-task", SMALL, NARROW)
    page.evaluate("document.documentElement.dir = 'rtl'")
    check_page(page, f"{name}-3-task-rtl")
    page.evaluate("document.documentElement.dir = 'ltr'")
    page.set_viewport_size({"width": 1000, "height": 900})
    page.emulate_media(forced_colors="active")
    _expect_forced_colours(page, f"{name}-3-task-forced")
    page.set_viewport_size(DESKTOP)
    page.emulate_media(forced_colors="none", color_scheme="dark", reduced_motion="reduce")
    check_page(page, f"{name}-3-task-dark")
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    check_page(page, f"{name}-3-task")


def _expect_forced_colours(page: Page, name: str) -> None:
    check_page(page, name)
    # What is chosen shows otherwise than by a ground or a shadow, which this mode takes away.
    marked = page.locator(".choice:has(:checked), .mark:has(:checked)").all()
    other = page.locator(".choice:not(:has(:checked)), .mark:not(:has(:checked))").all()
    assert [_measure_border(one) for one in marked] == ["3px"] * len(marked), name
    assert [_measure_border(one) for one in other] == ["1px"] * len(other), name
    assert _measure_border(page.locator("progress")) == "1px", name


def _measure_border(element: Locator) -> str:
    return element.evaluate("(one) => getComputedStyle(one).borderTopWidth")


def _list_values() -> list[float | None]:
    return _sort(Judgment.objects.values_list("value", flat=True))


def _sort(values: Iterable[float | None]) -> list[float | None]:
    return sorted(values, key=lambda value: (value is not None, value))

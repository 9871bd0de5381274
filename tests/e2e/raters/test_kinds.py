"""Tests of studies of each kind with the mouse, with the keyboard only, without scripts, at any size, in dark mode."""

import time
from collections.abc import Iterable

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from studies.enums import TaskKind
from studies.models import Judgment, Study
from tests.e2e.looking import NARROW, PHONE, SMALL, check_page
from tests.e2e.raters.kind_cases import CASES, KindCase
from tests.e2e.raters.steps import agree, expect_task, expect_thanks, join_and_start, open_link, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DESKTOP = {"width": 1280, "height": 800}


@pytest.mark.parametrize("size", [DESKTOP, PHONE, NARROW], ids=["desktop", "phone", "narrow"])
def test_several_captions_stand_beside_one_picture(page: Page, live_server, size: dict) -> None:
    page.set_viewport_size(size)
    join_and_start(page, live_server, make_open_study(n_tasks=1, n_items=3), name="several")

    expect(page.get_by_role("img", name="Image for this task")).to_have_count(1)
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


@pytest.mark.parametrize("size", [DESKTOP, SMALL, NARROW], ids=["desktop", "small", "narrow"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rater_finishes_a_study(page: Page, live_server, case: KindCase, size: dict) -> None:
    page.set_viewport_size(size)
    study = make_open_study(kind=case.kind, **case.design)
    began = time.monotonic()
    if size == SMALL:
        _join(page, live_server, study)
    else:
        join_and_start(page, live_server, study, name=case.name)
    for number in (1, 2):
        expect_task(page, number, 2)
        expect(page.get_by_role("radio", checked=True)).to_have_count(0)
        case.click(page)
        if number == 1:
            _look(page, case.name, size=size)
        save(page)
    expect_thanks(page)

    assert _list_values() == _sort(case.values * 2)
    most = 1000 * (time.monotonic() - began)
    assert all(0 < elapsed < most for elapsed in Judgment.objects.values_list("elapsed_ms", flat=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_keyboard_alone_is_enough(page: Page, live_server, case: KindCase) -> None:
    study = make_open_study(kind=case.kind, **case.design)
    _join(page, live_server, study)
    for number in (1, 2):
        expect_task(page, number, 2)
        case.press(page)
    expect_thanks(page)

    assert len(_list_values()) == 2 * len(case.values)
    if case.kind != TaskKind.SET_RATING:
        assert _list_values() == _sort(case.values * 2)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_everything_works_without_scripts(browser: Browser, live_server, case: KindCase) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=SMALL)
    page = context.new_page()
    study = make_open_study(kind=case.kind, n_tasks=1, **case.design)
    _join(page, live_server, study)
    save(page)
    expect(page.get_by_role("alert").get_by_role("heading", name="missing")).to_be_visible()
    case.click(page)
    save(page)
    expect_thanks(page)
    context.close()

    assert _list_values() == case.values
    assert set(Judgment.objects.values_list("elapsed_ms", flat=True)) == {None}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_page_is_light_and_stands_still(page: Page, live_server, case: KindCase) -> None:
    study = make_open_study(kind=case.kind, n_tasks=1, **case.design)
    _join(page, live_server, study)
    page.wait_for_load_state("networkidle")
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


def _look(page: Page, name: str, *, size: dict) -> None:
    """Look at the page in the light; the large one in the dark too, the narrow one from right to left."""
    check_page(page, f"{name}-3-task")
    if size == DESKTOP:
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        check_page(page, f"{name}-3-task-dark")
        page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    if size == NARROW:
        page.evaluate("document.documentElement.dir = 'rtl'")
        check_page(page, f"{name}-3-task-rtl")
        page.evaluate("document.documentElement.dir = 'ltr'")


def _join(page: Page, live_server, study: Study) -> None:
    open_link(page, live_server, study)
    agree(page)
    start(page)


def _list_values() -> list[float | None]:
    return _sort(Judgment.objects.values_list("value", flat=True))


def _sort(values: Iterable[float | None]) -> list[float | None]:
    return sorted(values, key=lambda value: (value is not None, value))

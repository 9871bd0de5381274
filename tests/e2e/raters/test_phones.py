"""Tests of all kinds of tasks on a phone, from consent to code, with the image in sight of every answer."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from studies.design.study_design import Panel, Pay
from studies.enums import PanelKind, TaskKind
from studies.models import Judgment
from tests.e2e.looking import PHONE, check_page
from tests.e2e.raters.kind_cases import CASES, KindCase
from tests.e2e.raters.steps import agree, expect_task, open_link, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CODE = "DONE-1234"
USEFUL = 120
"""The height in pixels of an image on which one still sees what a caption is about."""
_CONTROLS = ".question input[type=radio], .question input[type=number], .question input[type=range], .question textarea"
# The script shrinks the image when the browser next draws the page after it was scrolled.
_MEASURE = """async (control) => {
  if (document.documentElement.classList.contains('shrinks'))
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const read = (element) => { const { top, bottom, left, right } = element.getBoundingClientRect();
                              return { top, bottom, left, right }; };
  const question = control.closest('.card') || control.closest('.question');
  const judged = question.querySelector('blockquote.caption, p.caption, .captions');
  return {
    image: read((control.closest('.judged') || control.closest('.question')).querySelector('.image img')),
    control: read(control.closest('label') || control),
    judged: judged && read(judged),
    height: innerHeight,
  };
}"""


@pytest.fixture(params=[True, False], ids=["scripts", "no-scripts"])
def either_phone(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from _open_phone(browser, has_scripts=request.param)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    yield from _open_phone(browser)


def _open_phone(browser: Browser, *, has_scripts: bool = True) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, java_script_enabled=has_scripts)
    yield context.new_page()
    context.close()


def _open_task(page: Page, live_server, case: KindCase, **design: object) -> None:
    open_link(page, live_server, make_open_study(kind=case.kind, **case.design, **design))
    agree(page)
    start(page)


def _keep_shot(page: Page, name: str) -> None:
    """Keep a picture of what is on the screen, if a folder is asked for (see `check_page`)."""
    folder = os.environ.get("ACCORDANCE_SHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")


def _expect_in_sight(control: Locator, *, useful: float = USEFUL) -> None:
    """Fail unless image, control and what is judged are on the screen and do not cover one another."""
    control.scroll_into_view_if_needed()
    control.focus()
    found = control.evaluate(_MEASURE)
    image, answer, judged = found["image"], found["control"], found["judged"]

    assert image["top"] >= -0.01, found
    assert image["bottom"] - image["top"] >= useful, found
    assert image["bottom"] <= answer["top"] + 1, found
    assert answer["bottom"] <= found["height"] + 1, found
    if judged:
        assert image["bottom"] <= judged["top"] + 1, found
        assert judged["bottom"] <= found["height"], found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_image_is_in_sight_of_every_answer(phone: Page, live_server, case: KindCase) -> None:
    n_items = {} if case.kind in (TaskKind.SET_RATING, TaskKind.BEST_WORST) else {"n_items": 3}
    _open_task(phone, live_server, case, **n_items)
    _keep_shot(phone, f"{case.name}-top")
    controls = phone.locator(_CONTROLS).all()

    assert len(controls) >= 2
    for control in controls:
        _expect_in_sight(control)
    _keep_shot(phone, f"{case.name}-last-answer")
    # And back again, from below.
    for control in reversed(controls):
        _expect_in_sight(control)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_from_consent_to_code(either_phone: Page, live_server, case: KindCase) -> None:
    panel = Panel(kind=PanelKind.GENERIC, codes={"finished": CODE})
    pay = Pay(currency="EUR", reward=1.5, hourly_wage=12.0)
    study = make_open_study(kind=case.kind, panel=panel, pay=pay, task_seconds=30, **case.design)
    page = either_phone
    page.goto(f"{live_server.url}/r/{study.join_token}/?participant=P1")
    expect(page.get_by_text("1.50 EUR")).to_be_visible()
    agree(page)
    start(page)
    for number in (1, 2):
        expect_task(page, number, 2)
        case.click(page)
        _expect_in_sight(page.locator(_CONTROLS).last)
        if number == 1 and page.evaluate("document.documentElement.classList.contains('shrinks')"):
            check_page(page, f"phone-{case.name}")
        save(page)
    expect(page.get_by_text(CODE)).to_be_visible()

    assert Judgment.objects.count() == 2 * len(case.values)

"""Tests of all kinds of tasks on a phone, from consent to code, with scripts and without.

The image is in sight of every answer, and answers that are not accepted yet are kept.
"""

import os
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from studies.design.study_design import Panel, Pay
from studies.enums import PanelKind
from studies.models import Judgment
from tests.e2e.looking import PHONE, check_page
from tests.e2e.raters.kind_cases import CASES, KindCase
from tests.e2e.raters.steps import agree, count_drafts, expect_task, expect_thanks, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CODE = "DONE-1234"
N_ITEMS = 3
"""How many items a task has, of a kind whose tasks can have so many."""
USEFUL = 120
"""The height in pixels of an image on which one still sees what a caption is about."""
_CONTROLS = ".question input[type=radio], .question input[type=number], .question input[type=range], .question textarea"
_READ = """() => [...document.querySelectorAll('form[data-task] :is(input, textarea)')]
  .filter(field => !['hidden', 'range'].includes(field.type))
  .map(field => [field.name, field.type === 'radio' ? field.checked : field.value])"""
# The script shrinks the image when the browser next draws the page after it was scrolled. All in one call: to ask for
# each of 33 controls by itself took half of the time of a test.
_MEASURE = """async (controls, isUpwards) => {
  const read = (element) => { const { top, bottom, left, right } = element.getBoundingClientRect();
                              return { top, bottom, left, right }; };
  const found = [];
  for (const control of isUpwards ? controls.toReversed() : controls) {
    control.scrollIntoViewIfNeeded();
    control.focus();
    if (document.documentElement.classList.contains('shrinks'))
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const question = control.closest('.card') || control.closest('.question');
    const judged = question.querySelector('blockquote.caption, p.caption, .captions');
    found.push({
      image: read((control.closest('.judged') || control.closest('.question')).querySelector('.image img')),
      control: read(control.closest('label') || control),
      judged: judged && read(judged),
      height: innerHeight,
    });
  }
  return found;
}"""


def _keep_shot(page: Page, name: str) -> None:
    """Keep a picture of what is on the screen, if a folder is asked for (see `check_page`)."""
    folder = os.environ.get("ACCORDANCE_SHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")


def _expect_in_sight(controls: Locator, *, is_upwards: bool = False) -> None:
    """Go to each control, and fail unless image, control and what is judged are on the screen, none over another."""
    every = controls.evaluate_all(_MEASURE, is_upwards)
    assert len(every) == controls.count() > 0
    for found in every:
        image, answer, judged = found["image"], found["control"], found["judged"]
        assert image["top"] >= -0.01, found
        assert image["bottom"] - image["top"] >= USEFUL, found
        assert image["bottom"] <= answer["top"] + 1, found
        assert answer["bottom"] <= found["height"] + 1, found
        if judged:
            assert image["bottom"] <= judged["top"] + 1, found
            assert judged["bottom"] <= found["height"], found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no-scripts"])
def test_from_consent_to_code(browser: Browser, live_server, case: KindCase, has_scripts: bool) -> None:
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, java_script_enabled=has_scripts)
    page = context.new_page()
    _begin(page, live_server, case)
    controls = page.locator(_CONTROLS)
    assert controls.count() >= 2
    if has_scripts:
        _expect_all_in_sight(controls, case.name)
    else:
        save(page)
        expect(page.get_by_role("alert").get_by_role("heading", name="missing")).to_be_visible()
    _answer_first(page)
    if has_scripts:
        _expect_to_survive_a_reload(page)
    _expect_refusal_to_be_a_page_of_its_own(page)

    for number in (1, 2):
        expect_task(page, number, 2)
        case.click_all(page)
        _expect_in_sight(controls.last)
        if number == 2 and has_scripts:
            check_page(page, f"phone-{case.name}")
        save(page)
    expect_thanks(page)
    expect(page.get_by_text(CODE)).to_be_visible()
    context.close()

    n_items = 1 if case.shares_captions else N_ITEMS
    assert Counter(Judgment.objects.values_list("value", flat=True)) == Counter(2 * n_items * case.values)
    assert has_scripts or set(Judgment.objects.values_list("elapsed_ms", flat=True)) == {None}


def _begin(page: Page, live_server, case: KindCase) -> None:
    """Come from a panel, agree, and start with the first task, of several items where the kind allows it."""
    panel = Panel(kind=PanelKind.GENERIC, codes={"finished": CODE})
    pay = Pay(currency="EUR", reward=1.5, hourly_wage=12.0)
    study = make_open_study(kind=case.kind, n_items=N_ITEMS, panel=panel, pay=pay, task_seconds=30, **case.design)
    page.goto(f"{live_server.url}/r/{study.join_token}/?participant=P1")
    expect(page.get_by_text("1.50 EUR")).to_be_visible()
    agree(page)
    start(page)
    expect_task(page, 1, 2)


def _expect_all_in_sight(controls: Locator, name: str) -> None:
    """Go down to each answer, and back again, from below."""
    _keep_shot(controls.page, f"{name}-top")
    _expect_in_sight(controls)
    _keep_shot(controls.page, f"{name}-last-answer")
    _expect_in_sight(controls, is_upwards=True)


def _answer_first(page: Page) -> None:
    """Answer one question of several."""
    control = page.locator(".question").locator("input[type=radio], input[type=number], textarea").first
    if control.get_attribute("type") == "radio":
        control.check()
    else:
        control.fill("70" if control.get_attribute("type") == "number" else "A brown dog jumps")


def _expect_to_survive_a_reload(page: Page) -> None:
    before = page.evaluate(_READ)
    page.reload()

    assert page.evaluate(_READ) == before
    assert any(value not in (False, "") for _, value in before)
    assert count_drafts(page) == 1


def _expect_refusal_to_be_a_page_of_its_own(page: Page) -> None:
    """Submit too few answers: however the page is come back to, they are there, and nothing is sent again."""
    sent = []
    page.on("request", lambda request: sent.append(request.method) if request.is_navigation_request() else None)
    save(page)
    expect(page.get_by_role("alert").get_by_role("heading")).to_be_visible()
    kept = _read_answers(page)
    assert page.url.endswith("/task/")
    page.reload()
    expect(page.get_by_role("alert").get_by_role("heading")).to_be_visible()
    assert _read_answers(page) == kept
    page.go_back()
    page.go_forward()
    page.wait_for_load_state()

    # One form was sent, once; what followed were pages.
    assert sent.count("POST") == 1
    assert any(kept)
    assert page.url.endswith("/task/")


def _read_answers(page: Page) -> list[str]:
    answers = [radio.get_attribute("value") for radio in page.get_by_role("radio", checked=True).all()]
    texts = page.locator("form[data-task]").locator("input[type=number], textarea").all()
    return [*answers, *(text.input_value() for text in texts)]

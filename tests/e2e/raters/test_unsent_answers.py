"""Tests of answers that are not accepted yet: kept over a reload, forgotten in time, and asked for without a form."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from studies.enums import TaskKind
from studies.models import Assignment, Judgment
from tests.e2e.looking import follow
from tests.e2e.raters.kind_cases import CASES, KindCase
from tests.e2e.raters.steps import agree, expect_task, expect_thanks, open_link, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
_READ = """() => [...document.querySelectorAll('form[data-task] :is(input, textarea)')]
  .filter(field => !['hidden', 'range'].includes(field.type))
  .map(field => [field.name, field.type === 'radio' ? field.checked : field.value])"""
_COUNT_DRAFTS = "() => Object.keys(localStorage).filter(key => key.startsWith('accordance-draft')).length"


def _open(page: Page, live_server, **study: Any) -> None:
    open_link(page, live_server, make_open_study(**study))
    agree(page)
    start(page)


def _answer_first(page: Page) -> Callable[[], None]:
    """Answer one question of a task."""
    control = page.locator(".question").locator("input[type=radio], input[type=number], textarea").first
    if control.get_attribute("type") == "radio":
        return control.check
    return lambda: control.fill("70" if control.get_attribute("type") == "number" else "A brown dog jumps")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_answers_survive_a_reload_until_they_are_submitted(page: Page, live_server, case: KindCase) -> None:
    n_items = {} if case.kind in (TaskKind.SET_RATING, TaskKind.BEST_WORST) else {"n_items": 2}
    _open(page, live_server, kind=case.kind, n_tasks=1, **n_items, **case.design)
    _answer_first(page)()
    before = page.evaluate(_READ)
    page.reload()

    assert page.evaluate(_READ) == before
    assert any(value not in (False, "") for _, value in before)
    assert page.evaluate(_COUNT_DRAFTS) == 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_submitted_answers_are_forgotten(page: Page, live_server, case: KindCase) -> None:
    _open(page, live_server, kind=case.kind, n_tasks=2, **case.design)
    case.click(page)
    page.reload()
    save(page)
    expect_task(page, 2, 2)

    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    assert page.evaluate(_COUNT_DRAFTS) == 0
    assert Judgment.objects.count() == len(case.values)


@pytest.mark.parametrize("leave", ["Stop for now", "Leave the study"])
def test_whoever_leaves_leaves_nothing_behind(page: Page, live_server, leave: str) -> None:
    _open(page, live_server, kind=TaskKind.CAPTION, n_tasks=1)
    page.get_by_label("Your caption").fill("A secret dog")
    assert page.evaluate(_COUNT_DRAFTS) == 1
    follow(page.locator(".aside").get_by_text(leave))
    if leave == "Leave the study":
        follow(page.get_by_role("button", name="Leave the study"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Leave the study")

    assert page.evaluate(_COUNT_DRAFTS) == 0


def test_drafts_end_with_the_lease(page: Page, live_server) -> None:
    _open(page, live_server, kind=TaskKind.CAPTION, n_tasks=1)
    page.get_by_label("Your caption").fill("A secret dog")
    ends = page.evaluate("() => JSON.parse(Object.values(localStorage)[0]).endsAt / 1000")
    assert abs(ends - Assignment.objects.get().expires_at.timestamp()) < 30

    page.evaluate(
        """() => { const [key] = Object.keys(localStorage), draft = JSON.parse(localStorage[key]);
                   localStorage[key] = JSON.stringify({ ...draft, endsAt: Date.now() - 1 }); }"""
    )
    page.reload()
    expect(page.get_by_label("Your caption")).to_have_value("")
    assert page.evaluate(_COUNT_DRAFTS) == 0


def test_drafts_are_of_one_rater(page: Page, live_server) -> None:
    _open(page, live_server, kind=TaskKind.CAPTION, n_tasks=1)
    page.get_by_label("Your caption").fill("A secret dog")
    page.context.clear_cookies()
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    page.goto(page.url.replace("task/", ""))
    assert page.evaluate(_COUNT_DRAFTS) == 0
    agree(page)
    start(page)

    expect(page.get_by_label("Your caption")).to_have_value("")


@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_refused_form_is_a_page_of_its_own(browser: Browser, live_server, case: KindCase, has_scripts: bool) -> None:
    context = browser.new_context(java_script_enabled=has_scripts)
    page = context.new_page()
    n_items = {} if case.kind in (TaskKind.SET_RATING, TaskKind.BEST_WORST) else {"n_items": 2}
    _open(page, live_server, kind=case.kind, n_tasks=1, **n_items, **case.design)
    _answer_first(page)()
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
    context.close()


def test_refused_correction_is_a_page_of_its_own(page: Page, live_server) -> None:
    _open(page, live_server, kind=TaskKind.CAPTION, n_tasks=2)
    page.get_by_label("Your caption").fill("A brown dog leaps over a fallen log in the woods.")
    save(page)
    expect_task(page, 2, 2)
    follow(page.get_by_role("link", name="Back to my last answer"))
    page.get_by_label("Your caption").fill("Too short")
    save(page)
    expect(page.get_by_role("alert").get_by_role("link", name="Write at least eight words")).to_be_visible()
    assert page.url.endswith("/last/")
    page.reload()

    expect(page.get_by_label("Your caption")).to_have_value("Too short")


def test_marks_go_as_soon_as_an_answer_is_there(page: Page, live_server) -> None:
    _open(page, live_server, kind=TaskKind.SET_RATING, n_tasks=1)
    save(page)
    summary = page.get_by_role("alert")
    expect(summary.get_by_role("heading")).to_have_text("3 answers are missing")
    sets = [page.get_by_role("group", name=f"Set {letter}") for letter in "ABC"]
    sets[0].get_by_role("radio").first.check()

    expect(summary.get_by_role("heading")).to_have_text("2 answers are missing")
    expect(summary.get_by_role("link")).to_have_count(2)
    expect(sets[0].locator(".error")).to_have_count(0)
    assert "wrong" not in sets[0].get_attribute("class")
    assert "wrong" in sets[1].get_attribute("class")
    page.reload()
    expect(summary.get_by_role("heading")).to_have_text("2 answers are missing")
    for one in sets[1:]:
        one.get_by_role("radio").last.check()
    expect(summary).to_have_count(0)
    expect(page).to_have_title(re.compile("^Task 1 of 1"))
    save(page)
    expect_thanks(page)


def test_mark_of_a_caption_goes_when_it_keeps_the_rules(page: Page, live_server) -> None:
    _open(page, live_server, kind=TaskKind.CAPTION, n_tasks=1)
    page.get_by_label("Your caption").fill("A brown dog leaps")
    save(page)
    expect(page.get_by_role("alert").get_by_role("link")).to_have_count(1)
    page.get_by_label("Your caption").fill("A brown dog leaps over")
    expect(page.get_by_role("alert")).to_have_count(1)
    page.get_by_label("Your caption").fill("A brown dog leaps over a fallen log in the woods")

    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".error")).to_have_count(0)


def test_consent_is_asked_for_again_on_a_page_of_its_own(page: Page, live_server) -> None:
    open_link(page, live_server, make_open_study())
    follow(page.get_by_role("button", name="Continue"))
    expect(page.get_by_role("alert")).to_be_focused()
    page.reload()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("checkbox").check()
    expect(page.get_by_role("alert")).to_have_count(0)
    agree(page)


def _read_answers(page: Page) -> list[str]:
    answers = [radio.get_attribute("value") for radio in page.get_by_role("radio", checked=True).all()]
    texts = page.locator("form[data-task]").locator("input[type=number], textarea").all()
    return [*answers, *(text.input_value() for text in texts)]

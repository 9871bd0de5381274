"""Tests of the language of the browser and the chosen one on every page, including long words and right to left."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from studies.enums import TaskKind
from studies.models import Judgment, Rater, Withdrawal
from tests.e2e.looking import NARROW, check_page, check_sizes, follow
from tests.e2e.raters.kind_cases import CASES, KindCase
from tests.e2e.walking import Words, open_task, visit_dead_ends, walk_to_the_end
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LOCALES = {"de": "de-DE", "es": "es-MX", "zh-hans": "zh-CN"}


def _open(browser: Browser, code: str, **options: object) -> Page:
    return browser.new_context(locale=LOCALES[code], **options).new_page()


def _look(page: Page, name: str, *, code: str) -> None:
    expect(page.locator("html")).to_have_attribute("lang", code)
    check_page(page, f"{code}-{name}")
    assert page.evaluate(_LIST_SPILLING) == []


_LIST_SPILLING = """
    [...document.querySelectorAll("label, button, a.button, legend, h1, h2, summary")]
        .filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).display !== "inline")
        .map((one) => one.innerText)
"""
"""What is longer than the frame around it."""


@pytest.mark.parametrize("code", ["de", "zh-hans"])
def test_whole_way_on_a_narrow_screen(browser: Browser, live_server, code: str) -> None:
    page = _open(browser, code, viewport=NARROW)
    seen: list[str] = []

    def look(name: str) -> None:
        seen.append(page.locator("h1").first.inner_text())
        _look(page, name, code=code)

    walk_to_the_end(page, live_server.url, words=Words(code), look=look)

    greeting, farewell = {
        "de": ("Anleitung", "Sie haben Ihre Teilnahme widerrufen"),
        "zh-hans": ("说明", "您已撤回参与"),
    }[code]
    assert greeting in seen
    assert seen[-1] == farewell
    assert Withdrawal.objects.get().n_judgments_erased > 0
    assert Rater.objects.get().language == code
    page.context.close()


@pytest.mark.parametrize("code", LOCALES)
def test_dead_ends_are_translated_and_fit(browser: Browser, live_server, code: str) -> None:
    page = _open(browser, code, viewport=NARROW)
    visit_dead_ends(page, live_server.url, words=Words(code), look=lambda name: _look(page, name, code=code))
    page.context.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_kind_runs_from_right_to_left_and_fits_a_narrow_screen_in_german(
    browser: Browser, live_server, settings, case: KindCase
) -> None:
    languages = settings.LANGUAGES
    # Nobody translates these pages into it: a library that has some of their words in Hebrew would show those.
    settings.LANGUAGES = [*languages, ("ur", "Urdu")]
    page = browser.new_context(locale="ur-PK", viewport=NARROW).new_page()
    open_task(page, live_server.url, words=Words("en"), kind=case.kind, **case.design)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    check_sizes(page, f"rtl-{case.name}", {"width": 1100, "height": 900}, NARROW)

    settings.LANGUAGES = languages
    follow(page.get_by_role("navigation", name="Language").get_by_role("link", name="Deutsch"))
    page.get_by_text("Anleitung", exact=True).click()
    _look(page, case.name, code="de")
    follow(page.get_by_role("button", name="Speichern und weiter"))
    expect(page.get_by_role("alert")).to_be_focused()
    _look(page, f"{case.name}-error", code="de")
    page.context.close()


def test_language_is_chosen_without_scripts_and_stays(browser: Browser, live_server) -> None:
    page = browser.new_context(locale="en-US", java_script_enabled=False).new_page()
    study = make_open_study()
    page.goto(f"{live_server.url}/r/{study.join_token}/")
    follow(page.get_by_role("navigation", name="Language").get_by_role("link", name="Deutsch"))

    current = page.get_by_role("navigation", name="Sprache").locator("[aria-current]")
    expect(current).to_have_text("Deutsch")
    page.get_by_label("Ich habe dies gelesen und bin einverstanden teilzunehmen.").check()
    follow(page.get_by_role("button", name="Weiter"))
    expect(page.get_by_role("heading", name="Anleitung")).to_be_visible()
    # The question of a preset is translated; one of the researcher's own would stay as it is.
    follow(page.get_by_role("link", name="Mit der ersten Aufgabe beginnen"))
    expect(page.get_by_role("heading", name="Wie gut beschreibt die Bildbeschreibung das Bild?")).to_be_visible()
    follow(page.get_by_role("navigation", name="Sprache").get_by_role("link", name="简体中文"))
    expect(page.get_by_text("任务 1 / 2", exact=True)).to_be_visible()
    assert Rater.objects.get().language == "zh-hans"
    page.context.close()


def test_slider_speaks_the_language_and_stores_the_number(browser: Browser, live_server) -> None:
    case = next(case for case in CASES if case.name == "slider")
    page = _open(browser, "de")
    open_task(page, live_server.url, words=Words("de"), kind=case.kind, **case.design)
    slider = page.get_by_role("slider", name="Ihr Wert, 0 bis 100")
    expect(slider).to_have_attribute("aria-valuetext", "noch nichts gewählt")
    slider.focus()
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "100")
    expect(page.get_by_text(re.compile(r"Restzeit für diese Aufgabe: \d+ Minuten"))).to_be_visible()
    follow(page.get_by_role("button", name="Speichern und weiter"))
    expect(page.get_by_role("heading", name="Vielen Dank")).to_be_visible()
    page.context.close()

    assert Judgment.objects.get().value == 100


def test_tenths_are_shown_with_a_comma_and_stored_as_ever(browser: Browser, live_server) -> None:
    page = _open(browser, "es")
    open_task(page, live_server.url, words=Words("es"), kind=TaskKind.SET_RATING)
    for letter in "ABC":
        page.get_by_role("group", name=f"Grupo {letter}").get_by_role("radio", name="0,3", exact=True).click()
    follow(page.get_by_role("button", name="Guardar y continuar"))
    expect(page.get_by_role("heading", name="Gracias")).to_be_visible()
    page.context.close()

    assert list(Judgment.objects.values_list("value", flat=True)) == [0.3] * 3

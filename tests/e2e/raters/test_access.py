"""Tests of all raters' pages in dark mode, print and reduced motion, of their weight, and by screen reader."""

import re

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from studies.collection.lifecycle import open_study
from studies.enums import TaskKind
from studies.models import Candidate, Withdrawal
from tests.e2e.looking import check_page, follow_by_key, skip_to_content
from tests.e2e.raters.steps import agree, open_link, save, start
from tests.e2e.walking import TEXTS, Words, visit_dead_ends, walk_to_the_end
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ENGLISH = Words("en")
MOST_BYTES = 60_000


def test_every_page_is_small_and_shows_in_the_dark_without_motion(browser: Browser, live_server) -> None:
    page = browser.new_context(color_scheme="dark", reduced_motion="reduce").new_page()
    pages: list[Response] = []
    page.on("response", lambda response: pages.append(response) if _is_page(response) else None)
    weights: dict[str, int] = {}
    files: dict[str, int] = {}

    def look(name: str) -> None:
        check_page(page, f"dark-{name}")
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 23, 26)", name
        assert page.evaluate(_COUNT_MOVING) == 0, name
        for address in page.evaluate(_LIST_FILES):
            if address not in files:
                files[address] = len(page.context.request.get(address).body())
        weights[name] = len(pages[-1].body()) + sum(files[address] for address in page.evaluate(_LIST_FILES))

    walk_to_the_end(page, live_server.url, words=ENGLISH, look=look)
    _expect_receipt_to_print_dark_on_white(page)
    visit_dead_ends(page, live_server.url, words=ENGLISH, look=look)
    page.context.close()

    assert len(weights) == 23
    assert {address.rpartition(".")[2] for address in files} == {"css", "js", "svg"}
    assert min(weights.values()) > 10_000
    assert max(weights.values()) < MOST_BYTES, weights


_COUNT_MOVING = """
    [...document.querySelectorAll("*")].map((element) => getComputedStyle(element))
        .filter((style) => parseFloat(style.transitionDuration) > 0 || style.animationName !== "none").length
"""


def _expect_receipt_to_print_dark_on_white(page: Page) -> None:
    receipt = page.get_by_text(Withdrawal.objects.get().receipt)
    expect(receipt).to_be_visible()
    page.emulate_media(media="print", color_scheme="dark")
    expect(receipt).to_be_visible()
    assert receipt.evaluate("(code) => getComputedStyle(code).color") == "rgb(28, 28, 28)"
    check_page(page, "print-withdrawn")
    page.emulate_media(media="screen")


def _is_page(response: Response) -> bool:
    return response.request.is_navigation_request() and not 300 <= response.status < 400


_LIST_FILES = """
    [...document.querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src]")]
        .map((one) => one.href || one.src)
"""


def test_a_listener_hears_question_progress_and_errors(page: Page, live_server) -> None:
    study = make_open_study(kind=TaskKind.PAIRWISE, n_tasks=2)
    open_link(page, live_server, study)
    agree(page)
    start(page)

    expect(page.get_by_role("progressbar", name="Task 1 of 2")).to_have_attribute("max", "2")
    expect(page.get_by_role("group", name="Which caption describes the image better?")).to_match_aria_snapshot(
        """
        - group "Which caption describes the image better?":
          - heading "Which caption describes the image better?" [level=1]
          - img "Image for this task"
          - radio /.+/
          - radio /.+/
          - radio "No preference"
        """
    )
    expect(page.get_by_role("main")).to_match_aria_snapshot(
        """
        - main:
          - status
          - group "Which caption describes the image better?"
          - paragraph:
            - button "Save and continue"
          - paragraph: /Time left for this task. \\d+ minutes/
          - button "Stop for now"
          - link "Leave the study"
          - button "Turn number keys off"
          - group: Instructions
        """
    )
    save(page)
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_role("alert")).to_match_aria_snapshot(
        """
        - alert:
          - heading "One answer is missing" [level=2]
          - list:
            - listitem:
              - link "Choose one of the answers."
        """
    )
    expect(page.get_by_role("group", name="Which caption")).to_have_accessible_description("Choose one of the answers.")
    expect(page).to_have_title(re.compile("^Error: Task 1 of 2"))
    page.get_by_role("alert").get_by_role("link").click()
    expect(page.get_by_role("radio").first).to_be_focused()


def test_a_listener_hears_what_the_page_is_skips_its_top_and_chooses_a_language(page: Page, live_server) -> None:
    study = make_open_study(**TEXTS)
    open_link(page, live_server, study)

    expect(page.get_by_role("banner")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("navigation", name="Language").get_by_role("link")).to_have_count(4)
    expect(page.get_by_role("region", name="What you agree to")).to_contain_text("an example university")
    skip_to_content(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("checkbox", name="I have read this and agree to take part.")).to_be_focused()

    # Not loaded again as it is: the address now leads past the top.
    open_link(page, live_server, study)
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Deutsch")).to_be_focused()
    follow_by_key(page)
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_caption_runs_as_its_own_language_does(page: Page, live_server) -> None:
    study = make_designed_study(n_tasks=1)
    Candidate.objects.update(text="כלב חום קופץ מעל בול עץ.")
    open_study(study, now=NOW)
    open_link(page, live_server, study)
    agree(page)
    start(page)

    expect(page.locator("html")).to_have_attribute("dir", "ltr")
    caption = page.locator(".caption")
    assert caption.evaluate("(caption) => getComputedStyle(caption).direction") == "rtl"
    check_page(page, "caption-rtl")

"""Tests of the page of a metric in a browser: its card, and the score of a caption that one types in."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.looking import PHONE, check_page, check_sizes, follow, show_in_schemes
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.studies import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REFERENCES = "A brown dog runs on the grass.\nA dog plays in a field."


@pytest.fixture
def researcher(page: Page, live_server, transactional_db) -> Page:
    make_user("owner")
    log_in(page, live_server, "owner")
    return page


def test_metric_page_with_a_score_is_accessible_and_fits(researcher: Page, live_server) -> None:
    researcher.goto(f"{live_server.url}/metrics/cider-d/")
    check_sizes(researcher, "metric", DESKTOP, PHONE)

    researcher.get_by_role("textbox", name="Caption:").fill("A brown dog runs across the grass.")
    researcher.get_by_role("textbox", name="References:").fill(REFERENCES)
    follow(researcher.get_by_role("button", name="Compute the score"))

    expect(researcher.get_by_text(re.compile("^[0-9]+[.][0-9]{4}"))).to_be_in_viewport()
    check_page(researcher, "metric-scored")
    # The score is in sight as well where it is sent from a desktop.
    researcher.set_viewport_size(DESKTOP)
    follow(researcher.get_by_role("button", name="Compute the score"))
    expect(researcher.get_by_text(re.compile("^[0-9]+[.][0-9]{4}"))).to_be_in_viewport()
    check_page(researcher, "metric-scored")


def test_refused_text_is_explained_in_both_color_schemes(researcher: Page, live_server) -> None:
    researcher.goto(f"{live_server.url}/metrics/lsa/")
    researcher.get_by_role("textbox", name="Captions of one image:").fill("only one caption")
    follow(researcher.get_by_role("button", name="Compute the score"))

    expect(researcher.get_by_text("Enter 2 to 10 lines, not 1.")).to_be_visible()
    for scheme in show_in_schemes(researcher, DESKTOP):
        check_page(researcher, f"metric-refused-{scheme}")


def test_a_caption_is_scored_without_javascript(browser: Browser, live_server, transactional_db) -> None:
    make_user("owner")
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        log_in(page, live_server, "owner")
        page.goto(f"{live_server.url}/metrics/length/")
        page.get_by_role("textbox", name="Caption:").fill("a dog runs")
        follow(page.get_by_role("button", name="Compute the score"))

        expect(page.get_by_text("3.0000")).to_be_visible()

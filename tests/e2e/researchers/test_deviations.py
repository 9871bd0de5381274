"""Tests of deviations from a preregistration in a browser: asked about, confirmed, and shown on all pages."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from studies.design.versions import load_newest_version
from studies.models import Study
from tests.e2e.looking import PHONE, check_sizes, expect_seen, follow
from tests.e2e.researchers.steps import expect_step, press
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import make_user
from tests.studies.preregistered import make_preregistration

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TEXT = "Look at the picture.\n\n- Is the caption true?\n- Is it complete?"
PAGES = (
    *("", "design/question/", "design/launch/", "design/preregistration/"),
    *("monitoring/", "runs/", "reports/", "people/", "history/"),
)


@pytest.fixture
def study(transactional_db) -> Study:
    study = make_designed_study(instructions=TEXT)
    Study.objects.filter(pk=study.pk).update(owner=make_user("owner"))
    make_preregistration(study)
    return study


def _save_question(page: Page) -> None:
    press(page, "Next")


@pytest.mark.parametrize(
    ("sizes", "has_scripts"), [((DESKTOP, PHONE), True), ((DESKTOP,), False)], ids=["scripts", "no-script"]
)
def test_deviation_is_confirmed_and_shown_on_every_page(
    browser: Browser, live_server, study: Study, sizes: tuple[ViewportSize, ...], has_scripts: bool
) -> None:
    page = browser.new_context(viewport=sizes[-1], java_script_enabled=has_scripts).new_page()

    def look(name: str, *seen: Locator) -> None:
        if has_scripts:
            check_sizes(page, name, *sizes, seen=seen)

    log_in(page, live_server, "owner")
    address = f"{live_server.url}/studies/study/"
    page.goto(f"{address}design/question/")
    header = page.locator("header.study")
    expect_seen(header.get_by_role("link", name="Preregistered", exact=True), sizes=sizes)

    # A browser sends other line ends than those stored.
    _save_question(page)
    expect_step(page, "raters")
    assert load_newest_version(study).number == 2
    press(page, "Previous")

    page.locator("#question-question").fill("Is the caption right?")
    _save_question(page)
    asked = page.get_by_role("alert").filter(has_text="Nothing has been changed yet.")
    change = asked.get_by_role("row", name=re.compile("design question.*Is the caption right?"))
    expect(change).to_be_visible()
    expect(page.locator("#question-question")).to_have_value("Is the caption right?")
    expect(header.get_by_role("link", name="Preregistered", exact=True)).to_be_visible()
    confirm, reason = page.get_by_label(re.compile("Make this change")), page.get_by_label("Reason (optional)")
    look("deviation-asked", change, page.locator("#question-question"), confirm, reason)
    assert load_newest_version(study).number == 2

    confirm.check()
    reason.fill("Raters in the pilot misread it.")
    _save_question(page)
    expect_seen(page.get_by_text("Saved “Question” as version 3."), sizes=sizes)
    badge = header.get_by_role("link", name="Preregistered, with deviations")
    for part in PAGES:
        page.goto(address + part)
        expect_seen(badge, sizes=sizes)
    look("deviation-history")
    page.goto(address)
    look("deviation-overview")
    follow(badge)
    expect(page.get_by_role("region", name="Table of deviations")).to_contain_text("Is the caption right?")
    expect(page.get_by_role("region", name="Table of confirmed changes")).to_contain_text("misread it.")
    details = [page.get_by_text(title) for title in ("Protocols and metrics in detail", "Digest and signatures")]
    for summary in details:
        summary.click()
    look("deviation-list", *details)

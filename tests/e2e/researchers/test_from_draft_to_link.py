"""Tests of the way from a draft to the link for raters in a browser: what is missing is named, and links are copied."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from studies.design.study_design import Panel
from studies.enums import PanelKind, RaterOutcome
from tests.e2e.looking import PHONE, check_page, check_sizes, follow
from tests.e2e.researchers.test_pages import DESKTOP, log_in, owner, researcher  # noqa: F401 - fixtures
from tests.factories.open_studies import make_designed_study, make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(context) -> Page:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return context.new_page()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_missing_texts_are_named_and_the_link_is_copied(
    researcher: Page,  # noqa: F811 - a fixture
    live_server,
    owner,  # noqa: F811 - a fixture
    size: dict,
) -> None:
    researcher.set_viewport_size(size)
    researcher.clock.install()
    study = make_designed_study(consent="")
    study.owner = owner
    study.save()
    researcher.goto(f"{live_server.url}/studies/study/design/raters/")

    expect(researcher.locator(".stepper .mark.missing")).to_have_text("missing: consent text")
    notice = researcher.locator(".lacks")
    notice.get_by_role("link", name="consent text").click()
    expect(researcher.get_by_role("textbox", name="Consent")).to_be_in_viewport()
    assert researcher.get_by_role("textbox", name="Consent").get_attribute("aria-required") == "true"
    check_page(researcher, "walk-raters")

    researcher.get_by_role("textbox", name="Consent").fill("You agree.")
    follow(researcher.get_by_role("button", name="Save and go to Launch"))
    follow(researcher.get_by_role("button", name="Open the study"))
    expect(researcher.get_by_text("The study is open.")).to_be_visible()
    check_page(researcher, "walk-opened")
    link = researcher.get_by_label("Link for raters", exact=True)
    expect(link).to_be_in_viewport()
    # It says for a moment only that it has copied.
    researcher.clock.pause_at(timezone.now() + timedelta(minutes=10))
    researcher.get_by_role("button", name="Copy: Link for raters").click()
    expect(researcher.locator(".copied")).to_have_text("Copied")
    researcher.clock.resume()
    assert researcher.evaluate("navigator.clipboard.readText()") == link.input_value()

    researcher.goto(f"{live_server.url}/studies/study/design/launch/")
    check_page(researcher, "walk-launch-open")
    expect(researcher.get_by_role("button", name="Copy: Link for raters")).to_be_visible()

    researcher.goto(f"{live_server.url}/docs/statistics/")
    check_page(researcher, "walk-docs")


def test_pages_beside_the_steps_are_accessible_and_fit(
    researcher: Page,  # noqa: F811 - a fixture
    live_server,
    owner,  # noqa: F811 - a fixture
) -> None:
    amt = Panel(kind=PanelKind.AMT, codes={RaterOutcome.FINISHED: "DONE1"})
    for study in (make_open_study("amt", panel=amt), make_designed_study("draft")):
        study.owner = owner
        study.save()
    pages = ("amt/raters/", "draft/design/checks/", "draft/design/checks/perturbed/", "draft/design/preregistration/")
    for address in pages:
        researcher.goto(f"{live_server.url}/studies/{address}")
        check_sizes(researcher, f"walk-{address.strip('/').replace('/', '-')}", DESKTOP, PHONE)


def test_text_that_was_sent_without_a_session_is_shown_again_without_scripts(
    browser,
    live_server,
    owner,  # noqa: F811 - a fixture
) -> None:
    study = make_designed_study("draft")
    study.owner = owner
    study.save()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/draft/design/question/")
    page.get_by_role("textbox", name="Question").fill("Is it a good caption?")
    context.clear_cookies(name="sessionid")

    follow(page.locator(".step-buttons").get_by_role("button", name="Next"))
    expect(page.get_by_text("What you sent was not saved")).to_be_visible()
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill("owner")
    follow(page.get_by_role("button", name="Log in"))
    expect(page.get_by_label("Question", exact=True)).to_have_value("Is it a good caption?")
    follow(page.get_by_role("button", name="Send again"))

    expect(page.get_by_text("Saved “Question” as version 3.")).to_be_visible()

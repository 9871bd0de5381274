"""Tests that no edit is lost in the steps of making a study: in another step, another tab, and an expired session."""

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import APIResponse, Browser, BrowserContext, Page, Route, expect

from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import StudyState
from studies.models import DesignDraft, Study, StudyVersion
from tests.e2e.looking import (
    PHONE,
    check_page,
    follow,
    follow_by_key,
    show_in_schemes,
    tab_through,
    wait_for_first,
)
from tests.e2e.researchers.steps import TITLES, expect_step, open_step, press
from tests.e2e.researchers.test_pages import DESKTOP, log_in, log_in_by_form
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEPT = "What you typed is kept, and saved with Previous or Next."
RESTORED = "What you typed before is shown again. It is not saved yet."


@pytest.fixture
def study(transactional_db) -> Study:
    study = make_designed_study(consent="")
    Study.objects.filter(pk=study.pk).update(owner=make_user("owner"))
    return study


@pytest.fixture
def address(live_server) -> str:
    return f"{live_server.url}/studies/study/design"


@pytest.fixture
def owner(context: BrowserContext, live_server, study: Study) -> BrowserContext:
    """The browser of the owner, logged in."""
    log_in(context.new_page(), live_server, "owner")
    return context


def _load(study: Study) -> StudyDesign:
    return StudyDesign.from_json(load_newest_version(study).design)


def _thanks(page: Page):
    return page.get_by_label("Thanks:", exact=True)


def test_edit_is_kept_when_another_step_is_opened_at_once(owner: BrowserContext, address: str) -> None:
    page = owner.new_page()
    page.goto(f"{address}/raters/")
    _thanks(page).fill("Thank you all")

    # No pause for the script between typing and the click.
    open_step(page, "question")
    open_step(page, "raters")

    expect(_thanks(page)).to_have_value("Thank you all")
    assert StudyVersion.objects.count() == 2


def test_edit_is_kept_on_the_server_for_another_device(browser: Browser, owner, live_server, address: str) -> None:
    page = owner.new_page()
    page.goto(f"{address}/raters/")
    _thanks(page).fill("Thank you all")
    expect(page.get_by_text(KEPT)).to_be_visible()

    other = browser.new_context().new_page()
    log_in(other, live_server, "owner")
    other.goto(f"{address}/raters/")

    expect(_thanks(other)).to_have_value("Thank you all")
    follow(other.get_by_role("button", name="Discard them"))
    expect(_thanks(other)).not_to_have_value("Thank you all")
    assert (StudyVersion.objects.count(), DesignDraft.objects.count()) == (2, 0)


def test_tabs_with_other_steps_save_both(owner: BrowserContext, address: str, study: Study) -> None:
    one, two = owner.new_page(), owner.new_page()
    one.goto(f"{address}/question/")
    two.goto(f"{address}/raters/")
    one.get_by_label("Question:", exact=True).fill("How good is it?")
    two.get_by_label("Consent:", exact=True).fill("I agree.")

    press(one, "Next")
    press(two, "Next")

    assert (_load(study).question, _load(study).consent) == ("How good is it?", "I agree.")


def test_tabs_with_the_same_step_keep_both_values_until_one_is_chosen(
    owner: BrowserContext, address: str, study: Study
) -> None:
    one, two = owner.new_page(), owner.new_page()
    one.goto(f"{address}/raters/")
    two.goto(f"{address}/raters/")
    _thanks(one).fill("From the first tab")
    expect(one.get_by_text(KEPT)).to_be_visible()

    _thanks(two).fill("From the second tab")

    told = two.get_by_role("region", name="Fields that differ between the tabs")
    expect(told.get_by_role("row", name=re.compile("Thanks From the first tab From the second tab"))).to_be_visible()
    check_page(two, "step-two-tabs")
    expect(_thanks(two)).to_have_value("From the second tab")
    two.get_by_role("button", name="Keep what is typed here").click()
    expect(two.get_by_text(KEPT)).to_be_visible()
    assert DesignDraft.objects.get().typed["texts-thanks"] == "From the second tab"

    # The first tab still has its text, and saves first; the second is then asked.
    press(one, "Next")
    press(two, "Next")
    asked = two.get_by_role("region", name="Fields that were changed twice")
    expect(asked.get_by_role("row", name=re.compile("Thanks From the first tab From the second tab"))).to_be_visible()
    check_page(two, "step-conflict")
    assert _load(study).thanks == "From the first tab"
    press(two, "Next")
    assert _load(study).thanks == "From the second tab"


def test_second_tab_can_take_over_what_the_first_has(owner: BrowserContext, address: str) -> None:
    one, two = owner.new_page(), owner.new_page()
    one.goto(f"{address}/raters/")
    two.goto(f"{address}/raters/")
    _thanks(one).fill("From the first tab")
    expect(one.get_by_text(KEPT)).to_be_visible()
    _thanks(two).fill("From the second tab")

    follow(two.get_by_role("button", name="Use what is typed in the other tab"))

    expect(_thanks(two)).to_have_value("From the first tab")


def test_text_is_there_again_after_an_expired_session_and_a_log_in(
    owner: BrowserContext, address: str, study: Study
) -> None:
    page = owner.new_page()
    page.goto(f"{address}/raters/")
    Session.objects.all().delete()
    _thanks(page).fill("Typed after the session had expired")
    expect(page.get_by_text("You are logged out. What you type stays in this tab.")).to_be_visible()
    page.get_by_label("Consent:", exact=True).fill("Typed last")

    press(page, "Next")
    expect(page).to_have_url(re.compile(r"/login/\?next=/studies/study/design/raters/$"))
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill("owner")
    follow(page.get_by_role("button", name="Log in"))

    expect_step(page, "raters")
    expect(page.get_by_text(re.compile(f"{RESTORED}|{KEPT}"))).to_be_visible()
    expect(_thanks(page)).to_have_value("Typed after the session had expired")
    expect(page.get_by_label("Consent:", exact=True)).to_have_value("Typed last")
    press(page, "Next")
    assert (_load(study).thanks, _load(study).consent) == ("Typed after the session had expired", "Typed last")


def test_log_in_in_another_tab_is_enough_to_save(
    owner: BrowserContext, live_server, address: str, study: Study
) -> None:
    page = owner.new_page()
    page.goto(f"{address}/raters/")
    Session.objects.all().delete()
    _thanks(page).fill("Typed while logged out")
    expect(page.get_by_text("You are logged out.")).to_be_visible()

    log_in_by_form(owner.new_page(), live_server, "owner")
    press(page, "Next")

    expect_step(page, "checks")
    assert _load(study).thanks == "Typed while logged out"


def test_saved_text_is_not_shown_as_typed_later(owner: BrowserContext, address: str) -> None:
    page = owner.new_page()
    page.goto(f"{address}/raters/")
    _thanks(page).fill("Saved")
    press(page, "Previous")
    expect_step(page, "question")
    expect(page).to_have_url(re.compile(r"/question/$"))

    open_step(page, "raters")

    expect(_thanks(page)).to_have_value("Saved")
    expect(page.get_by_text(RESTORED)).to_have_count(0)
    assert not DesignDraft.objects.exists()


def test_text_that_is_on_its_way_when_it_is_saved_is_not_kept_as_well(owner: BrowserContext, address: str) -> None:
    page = owner.new_page()
    page.goto(f"{address}/raters/")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/raters/typed/", lambda route: held.append((route, route.fetch())))
    _thanks(page).fill("Saved")
    # The server has kept it, and the page does not know yet.
    wait_for_first(page, held)

    page.locator(".step-buttons").get_by_role("button", name="Previous").click()
    for route, answer in held:
        route.fulfill(response=answer)

    expect_step(page, "question")
    assert not DesignDraft.objects.exists()


def test_cost_preview_and_fields_follow_what_is_chosen(owner: BrowserContext, address: str) -> None:
    page = owner.new_page()
    page.goto(f"{address}/raters/")
    expect(page.get_by_label("Completion code: finished")).to_be_hidden()
    page.get_by_label("Panel:", exact=True).select_option("prolific")
    expect(page.get_by_label("Completion code: finished")).to_be_visible()
    expect(page.get_by_label("URL parameter with the participant id")).to_be_hidden()
    page.get_by_label("Reward per session").fill("2.5")
    expect(page.locator("#cost")).to_contain_text(re.compile(r"Total\s*\d*[2-9]\.\d\d EUR"))

    open_step(page, "question")
    page.get_by_label("Question:", exact=True).fill("Typed just now?")
    expect(page.frame_locator("#preview").get_by_text("Typed just now?").first).to_be_visible()
    expect(page.get_by_label("Slider: lowest value")).to_be_hidden()
    page.get_by_label("Raters use a slider").check()
    expect(page.get_by_label("Slider: lowest value")).to_be_visible()

    page.get_by_text("Start from a published question").click()
    follow(page.get_by_role("button", name="Use this: Amount of detail"))
    expect(page.get_by_label("Question:", exact=True)).to_have_value("How detailed is the caption?")
    expect(page.frame_locator("#preview").get_by_text("Very detailed").first).to_be_visible()


def test_steps_are_accessible_and_fit(owner: BrowserContext, address: str) -> None:
    page = owner.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)

    for step in TITLES:
        page.goto(f"{address}/{step}/")
        for scheme in show_in_schemes(page, DESKTOP, PHONE):
            check_page(page, f"steps-{step}-{scheme}")

    # The preview in the frame runs no scripts.
    assert [complaint for complaint in complaints if "sandboxed" not in complaint] == []


def test_checklist_leads_to_the_missing_field_and_the_study_is_opened(
    owner: BrowserContext, address: str, study: Study
) -> None:
    page = owner.new_page()
    page.goto(f"{address}/launch/")
    expect(page.get_by_role("button", name="Open the study")).to_be_disabled()

    follow(page.locator("main a[href$='#texts-consent']").first)
    expect(page).to_have_url(re.compile("#texts-consent$"))
    page.get_by_label("Consent:", exact=True).fill("I agree.")
    press(page, "Save and go to Launch")
    expect(page.get_by_text("The study is ready to be opened.")).to_be_visible()
    follow(page.get_by_role("button", name="Open the study"))

    expect(page.get_by_role("textbox", name="Link for raters")).to_be_visible()
    assert Study.objects.get().state == StudyState.OPEN


def test_step_is_filled_and_saved_without_javascript(browser: Browser, live_server, address: str, study: Study) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, live_server, "owner")
    page.goto(f"{address}/raters/")
    page.get_by_label("Consent:", exact=True).fill("I agree.")
    page.get_by_label("Consent:", exact=True).press("Tab")

    page.get_by_label("Reward per session").focus()
    follow_by_key(page)

    expect_step(page, "checks")
    assert _load(study).consent == "I agree."


def test_keyboard_reaches_all_of_a_step(owner: BrowserContext, address: str) -> None:
    page = owner.new_page()
    page.goto(f"{address}/checks/")

    tab_through(page)

"""Tests of a rater's whole way: from the panel through training, qualification and sessions back to the panel."""

import pytest
from playwright.sync_api import Browser, Page, expect

from studies.design.study_design import Checks, Panel, Pay, Qualification
from studies.enums import PanelKind, RaterOutcome
from studies.models import Judgment, Submission, Withdrawal
from tests.e2e.looking import NARROW, PHONE, check_page, check_sizes, follow, follow_by_key
from tests.e2e.raters.steps import DESKTOP, agree, expect_thanks, open_link, save, start
from tests.factories.open_studies import make_open_study
from tests.studies.collection.assignment.staged import make_staged_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RIGHT, WRONG = "Describes it without any mistake", "Unrelated to the image"
TEXTS = {
    "information": "We study which captions people prefer.\n\nThe study is run by an example university.",
    "debriefing": "Your answers tell which automatic measures agree with people.",
    "retention_days": 90,
    "task_seconds": 20,
    "pay": Pay(currency="EUR", reward=1.5, hourly_wage=12.0),
}


def _answer(page: Page, label: str) -> None:
    page.get_by_label(label).check()
    save(page)


def test_panel_rater_goes_all_the_way_and_back(page: Page, live_server) -> None:
    sizes = (DESKTOP, PHONE, NARROW)
    panel = Panel(
        kind=PanelKind.GENERIC,
        codes={RaterOutcome.FINISHED: "DONE1", RaterOutcome.DECLINED: "NOCONS"},
        return_url=f"{live_server.url}/r/panel/?code={{code}}",
    )
    study = make_staged_study(
        training=1, trial=1, main=2, qualification=Qualification(pass_share=1.0), panel=panel, **TEXTS
    )
    page.goto(f"{live_server.url}/r/{study.join_token}/")
    expect(page.get_by_role("heading", name="Please open the study from the panel")).to_be_visible()
    check_sizes(page, "flow-no-arrival", *sizes)

    page.goto(f"{live_server.url}/r/{study.join_token}/?participant=77")
    check_sizes(page, "flow-join", *sizes)
    agree(page)
    check_sizes(page, "flow-instructions", *sizes)
    start(page)
    expect(page.get_by_text("Training 1 of 1", exact=True)).to_be_visible()
    _answer(page, WRONG)
    expect(page.get_by_role("heading", name="Not quite")).to_be_visible()
    check_sizes(page, "flow-feedback", *sizes)
    follow(page.get_by_role("link", name="Continue"))

    _answer(page, WRONG)
    expect(page.get_by_role("heading", name="Not yet")).to_be_visible()
    check_sizes(page, "flow-failed", *sizes)
    follow(page.get_by_role("link", name="Read the instructions and try again"))
    follow(page.get_by_role("link", name="Try again"))
    _answer(page, RIGHT)
    expect(page.get_by_role("heading", name="You have qualified")).to_be_visible()
    check_sizes(page, "flow-qualified", *sizes)
    follow(page.get_by_role("link", name="Start with the first task"))

    _answer(page, RIGHT)
    check_sizes(page, "flow-task", *sizes)
    follow(page.get_by_role("link", name="Back to my last answer"))
    check_sizes(page, "flow-correct", *sizes)
    _answer(page, WRONG)
    _answer(page, RIGHT)

    expect_thanks(page)
    expect(page.get_by_text("DONE1")).to_be_visible()
    check_sizes(page, "flow-thanks", *sizes)
    page.get_by_role("link", name="Return to the panel and finish").click()
    page.wait_for_url("**/r/panel/?code=DONE1")
    assert Submission.objects.values_list("outcome", "code").get() == ("finished", "DONE1")
    assert sorted(Judgment.objects.filter(item__task__role="main").values_list("value", flat=True)) == [1.0, 4.0]


def test_who_declines_is_not_stored(page: Page, live_server) -> None:
    study = make_open_study(**TEXTS)
    open_link(page, live_server, study)
    follow(page.get_by_role("button", name="I do not want to take part"))

    expect(page.get_by_role("heading", name="You are not taking part")).to_be_visible()
    check_page(page, "flow-declined")
    assert study.raters.count() == 0


def test_rater_takes_a_break_goes_on_elsewhere_and_withdraws(page: Page, browser: Browser, live_server) -> None:
    study = make_open_study(n_tasks=3, tasks_per_session=1, checks=Checks(), **TEXTS)
    open_link(page, live_server, study)
    agree(page)
    start(page)
    _answer(page, RIGHT)
    expect(page.get_by_role("heading", name="Session 1 is done")).to_be_visible()
    check_sizes(page, "flow-break", DESKTOP, NARROW)
    page.get_by_text("Continue on another device").click()
    link = page.locator("code.link").inner_text()

    phone = browser.new_context(viewport=PHONE).new_page()
    phone.goto(link)
    follow(phone.get_by_role("button", name="Start the next session"))
    expect(phone.get_by_text("Task 2 of 3", exact=True)).to_be_visible()
    follow(phone.get_by_role("link", name="Leave the study"))
    check_page(phone, "flow-leave")
    follow(phone.get_by_role("button", name="Withdraw from the study"))
    expect(phone.get_by_text("Choose what happens to your answers.")).to_be_visible()
    check_page(phone, "flow-leave-error")
    phone.get_by_label("Erase my answers too.").check()
    follow(phone.get_by_role("button", name="Withdraw from the study"))

    expect(phone.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    expect(phone.get_by_text(Withdrawal.objects.get().receipt)).to_be_visible()
    check_page(phone, "flow-withdrawn")
    assert Judgment.objects.count() == 0


def test_whole_way_works_without_scripts(browser: Browser, live_server) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    study = make_staged_study(training=1, main=2, **TEXTS)
    open_link(page, live_server, study)
    agree(page)
    start(page)
    _answer(page, RIGHT)
    follow(page.get_by_role("link", name="Continue"))
    _answer(page, RIGHT)
    follow(page.get_by_role("link", name="Leave the study"))
    follow(page.get_by_role("button", name="Leave the study"))

    expect_thanks(page)
    assert Judgment.objects.filter(item__task__role="main").count() == 1


def test_whole_way_works_by_keyboard_alone(page: Page, live_server) -> None:
    study = make_staged_study(training=1, main=1, **TEXTS)
    open_link(page, live_server, study)
    _reach(page, "I have read this and agree to take part.")
    page.keyboard.press("Space")
    for name, heading in (("Continue", "Instructions"), ("Start with the first task", "How well")):
        _reach(page, name)
        follow_by_key(page)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    _answer_by_keys(page)
    expect(page.get_by_role("heading", name="Right")).to_be_visible()
    _reach(page, "Continue")
    follow_by_key(page)
    _answer_by_keys(page)

    expect_thanks(page)


def _answer_by_keys(page: Page) -> None:
    expect(page.locator(".choice kbd").first).to_be_visible()
    page.keyboard.press("4")
    follow_by_key(page)


def _reach(page: Page, name: str) -> None:
    """Press Tab until what has the focus has this name."""
    for _ in range(15):
        page.keyboard.press("Tab")
        focused = page.evaluate("(document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim()")
        if focused == name:
            return
    raise AssertionError(f"Tab does not reach {name!r}")

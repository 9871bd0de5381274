"""Tests of pages that delay a rater: a part begun elsewhere, and a network with too many new raters."""

import pytest
from playwright.sync_api import Browser, Page, expect

from studies.design.study_design import Panel
from studies.enums import PanelKind, RaterOutcome
from studies.models import Assignment
from tests.e2e.looking import PHONE, check_sizes, follow, tab_through
from tests.e2e.raters.steps import DESKTOP, agree, expect_task, open_link, save, start
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_who_began_elsewhere_is_told_what_to_do(page: Page, browser: Browser, live_server) -> None:
    panel = Panel(kind=PanelKind.GENERIC, id_parameter="who", codes={RaterOutcome.FINISHED: "DONE1"})
    information = "A study of captions by an example university.\n\nQuestions: anna@example.org."
    study = make_open_study(n_tasks=2, panel=panel, information=information)
    address = f"{live_server.url}/r/{study.join_token}/?who=somebody"
    first = browser.new_context().new_page()
    first.goto(address)
    agree(first)
    start(first)
    expect_task(first, 1, 2)

    page.goto(address)

    expect(page.get_by_role("heading", level=1)).to_have_text("This study was started in another browser")
    expect(page.get_by_role("region", name="About this study")).to_contain_text("anna@example.org")
    check_sizes(page, "second-arrival", DESKTOP, PHONE)
    first.goto(address)
    expect_task(first, 1, 2)


def test_a_rater_beyond_the_network_limit_can_try_again(page: Page, browser: Browser, live_server, settings) -> None:
    settings.ACCORDANCE_NEWCOMERS_PER_ADDRESS = 1
    study = make_open_study(n_tasks=3)
    first = browser.new_context().new_page()
    open_link(first, live_server, study)
    agree(first)
    start(first)
    expect_task(first, 1, 3)

    open_link(page, live_server, study)
    agree(page)
    start(page)

    expect(page.get_by_role("heading", level=1)).to_have_text("One moment, please")
    for size in (DESKTOP, PHONE):
        check_sizes(page, "crowded", size)
        tab_through(page)
    first.get_by_role("radio").first.click()
    save(first)
    expect_task(first, 2, 3)
    follow(page.get_by_role("link", name="Try again"))
    expect_task(page, 1, 3)
    assert Assignment.objects.count() == 3

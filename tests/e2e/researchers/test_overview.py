"""Tests of a study's overview in a browser: the answer first, parts that appear by themselves, sorting."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from jobs.worker.running import run_waiting_jobs
from tests.e2e.looking import PHONE, check_page, point_at
from tests.e2e.researchers.test_pages import DESKTOP, log_in, owner, researcher, wait_for_pictures  # noqa: F401
from tests.studies.rated import make_rated_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def study(owner):  # noqa: F811
    """A study whose intervals are not computed yet."""
    study = make_rated_study()
    study.owner = owner
    study.save()
    return study


def do_the_work() -> None:
    run_waiting_jobs(now=timezone.now)


def open_overview(page: Page, live_server) -> None:
    """Open the overview when everything on it is computed."""
    page.goto(f"{live_server.url}/studies/rated/")
    do_the_work()
    page.goto(f"{live_server.url}/studies/rated/")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_overview_is_accessible_and_fits(researcher: Page, live_server, study, size: dict, scheme: str) -> None:  # noqa: F811
    researcher.set_viewport_size(size)
    researcher.emulate_media(color_scheme=scheme)
    researcher.goto(f"{live_server.url}/studies/rated/")
    check_page(researcher, f"overview-pending-{scheme}")
    do_the_work()

    researcher.goto(f"{live_server.url}/studies/rated/")
    researcher.evaluate("document.images.length && [...document.images].forEach(image => image.loading = 'eager')")
    wait_for_pictures(researcher)
    check_page(researcher, f"overview-{scheme}")
    researcher.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    wait_for_pictures(researcher)
    check_page(researcher, f"overview-open-{scheme}")


def test_the_answer_is_first_and_appears_without_reload(researcher: Page, live_server, study) -> None:  # noqa: F811
    researcher.goto(f"{live_server.url}/studies/rated/")
    results = researcher.get_by_role("region", name="is highest: τ =")
    expect(researcher.get_by_text("Intervals and the human ceiling will appear here.")).to_be_visible()
    expect(results).to_be_visible()
    researcher.evaluate("window.isTheSamePage = true")

    do_the_work()

    expect(researcher.get_by_role("heading", name="length agrees best: τ =")).to_be_visible()
    expect(researcher.get_by_role("heading", name="The most frequent judgment is")).to_be_visible()
    expect(researcher.get_by_text("will appear here")).to_have_count(0)
    assert researcher.evaluate("window.isTheSamePage")
    assert "Forest plot" in researcher.locator("main img").first.get_attribute("alt")


def wait_for_plots(page: Page) -> None:
    """Wait until both plots are drawn: the upper one moves the lower one away from the mouse."""
    for plot in ("figure[data-plot*=forest]", "#scatter figure[data-plot]"):
        expect(page.locator(f"{plot}.is-live")).to_be_visible()


def find_point(page: Page, n: int) -> Locator:
    return page.locator("#scatter .live-plot path.point-mark").nth(n)


def test_a_point_shows_its_item_and_opens_it(researcher: Page, live_server, study) -> None:  # noqa: F811
    open_overview(researcher, live_server)
    card = researcher.locator("#scatter .plot-card")

    researcher.locator("#scatter").scroll_into_view_if_needed()
    wait_for_plots(researcher)
    point_at(find_point(researcher, 0))

    expect(card).to_be_visible()
    expect(card).to_contain_text("judgments: 1")
    expect(card).to_contain_text("word word")
    expect(researcher.locator("#scatter .live-plot [role=img]")).to_be_visible()
    expect(researcher.locator("#scatter picture")).to_be_hidden()
    check_page(researcher, "overview-pointed")
    find_point(researcher, 0).click()
    expect(researcher).to_have_url(re.compile(r"/studies/rated/items/\d+/$"))
    expect(researcher.get_by_role("heading", name="Item ")).to_be_visible()


def test_points_are_reached_by_the_keyboard_outliers_first(researcher: Page, live_server, study) -> None:  # noqa: F811
    open_overview(researcher, live_server)
    researcher.locator("#scatter").scroll_into_view_if_needed()
    wait_for_plots(researcher)
    keys = researcher.locator("#scatter .plot-keys")
    expect(keys).to_be_attached()

    keys.focus()
    researcher.keyboard.press("ArrowRight")

    card = researcher.locator("#scatter .plot-card")
    expect(card).to_be_visible()
    first = card.inner_text()
    researcher.keyboard.press("ArrowRight")
    expect(card).not_to_have_text(first, use_inner_text=True)
    researcher.keyboard.press("ArrowLeft")
    expect(card).to_contain_text(first.splitlines()[0])
    researcher.keyboard.press("Escape")
    expect(card).to_be_hidden()
    researcher.keyboard.press("ArrowRight")
    expect(card).to_be_visible()
    researcher.keyboard.press("Enter")
    expect(researcher).to_have_url(re.compile(r"/studies/rated/items/\d+/$"))


def test_a_metric_of_the_forest_plot_shows_its_numbers_and_leads_to_its_scatter_plot(
    researcher: Page,  # noqa: F811
    live_server,
    study,
) -> None:
    open_overview(researcher, live_server)
    forest = researcher.locator("figure[data-plot*=forest]")

    point = forest.locator(".live-plot path.point-mark").first
    point_at(point)

    expect(forest.locator(".plot-card")).to_contain_text("n = 36")
    point.click()
    expect(researcher).to_have_url(re.compile(r"\?metric=(length|rouge-l)#scatter$"))


def test_plots_are_printed_as_pictures(researcher: Page, live_server, study) -> None:  # noqa: F811
    open_overview(researcher, live_server)
    expect(researcher.locator("figure[data-plot*=forest] .live-plot")).to_be_visible()

    researcher.emulate_media(media="print")

    expect(researcher.locator("figure[data-plot*=forest] picture")).to_be_visible()
    expect(researcher.locator("figure[data-plot*=forest] .live-plot")).to_be_hidden()


def test_a_table_sorts_by_its_columns(researcher: Page, live_server, study) -> None:  # noqa: F811
    open_overview(researcher, live_server)
    researcher.locator("#results > details > summary").click()
    table = researcher.get_by_role("region", name="Table of results").get_by_role("table")
    names = table.locator("tbody").first.locator("th")
    expect(names).to_have_text(["length", "rouge-l"])

    table.get_by_role("button", name="Metric").click()
    expect(names).to_have_text(["length", "rouge-l"])
    table.get_by_role("button", name="Metric").click()

    expect(names).to_have_text(["rouge-l", "length"])
    expect(table.get_by_role("columnheader", name="Metric")).to_have_attribute("aria-sort", "descending")
    table.get_by_role("button", name="Kendall τ-c").click()
    expect(names).to_have_text(["length", "rouge-l"])
    expect(table.locator("tbody").nth(1)).to_contain_text("people")


@pytest.mark.parametrize("part", ["", "explore/", "reports/", "people/"])
def test_current_tab_is_in_sight_on_a_phone(researcher: Page, live_server, study, part: str) -> None:  # noqa: F811
    researcher.set_viewport_size(PHONE)
    researcher.goto(f"{live_server.url}/studies/rated/{part}")

    expect(researcher.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.95)

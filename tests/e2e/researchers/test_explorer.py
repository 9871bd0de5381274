"""Tests of the correlation explorer in a browser: desktop, small phone, keyboard, with and without JavaScript."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect

from jobs.models import Job
from jobs.worker.running import run_waiting_jobs
from tests.e2e.looking import SMALL, check_page, follow, point_at, show_at
from tests.e2e.researchers.test_pages import DESKTOP, log_in, owner, researcher, wait_for_pictures  # noqa: F401
from tests.studies.rated import make_rated_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def make_study_of(owner):  # noqa: F811
    study = make_rated_study()
    study.owner = owner
    study.save()


def do_the_work() -> None:
    run_waiting_jobs(now=timezone.now)


def test_explorer_is_accessible_and_fits(researcher: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)

    researcher.set_viewport_size(DESKTOP)
    researcher.goto(f"{live_server.url}/studies/rated/explore/?resamples=100&multiverse=on&wait=1")
    for _ in show_at(researcher, DESKTOP, SMALL):
        researcher.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        wait_for_pictures(researcher)
        check_page(researcher, "explorer")


def test_the_forest_plot_fits_with_letters_of_their_own_size(researcher: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)

    researcher.goto(f"{live_server.url}/studies/rated/explore/?resamples=100&wait=1")
    do_the_work()
    researcher.set_viewport_size(DESKTOP)
    researcher.goto(f"{live_server.url}/studies/rated/explore/?resamples=100")
    for size in show_at(researcher, DESKTOP, SMALL):
        wait_for_pictures(researcher)
        # Plots are drawn when they come into view.
        researcher.get_by_role("heading", name="Forest plot").scroll_into_view_if_needed()
        drawing = researcher.locator("figure[data-plot*='/forest'].is-live .live-plot svg").first
        shown, natural, room = drawing.evaluate(
            "each => [each.clientWidth, each.viewBox.baseVal.width, each.closest('figure').clientWidth]"
        )

        assert (shown <= room, shown) == (True, pytest.approx(natural, abs=3)), size


def test_bad_address_is_accessible(page: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    log_in(page, live_server, "owner")

    page.goto(f"{live_server.url}/studies/rated/explore/?coefficient=nonsense")

    expect(page.get_by_role("alert")).to_contain_text("nonsense is not one of the available choices")
    check_page(page, "explorer-refused")


def test_a_choice_is_shown_at_once_and_said_by_the_address(researcher: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    researcher.goto(f"{live_server.url}/studies/rated/explore/")

    researcher.get_by_label("Coefficient").select_option("pearson")

    expect(researcher.get_by_role("columnheader", name="Pearson r").first).to_be_visible()
    expect(researcher).to_have_url(re.compile(r"/explore/\?coefficient=pearson$"))
    researcher.reload()
    expect(researcher.get_by_label("Coefficient")).to_have_value("pearson")
    expect(researcher.get_by_role("columnheader", name="Pearson r").first).to_be_visible()
    wait_for_pictures(researcher)


def test_plots_can_be_pointed_at_and_keep_the_choice(researcher: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    researcher.goto(f"{live_server.url}/studies/rated/explore/?coefficient=pearson")
    researcher.evaluate("document.querySelector('#scatter').scrollIntoView()")
    expect(researcher.locator("#scatter figure.is-live")).to_be_visible()
    expect(researcher.locator("#agreement figure.is-live")).to_have_count(1)

    mark = researcher.locator("#agreement .live-plot path.point-mark").last
    point_at(mark)
    expect(researcher.locator("#agreement .plot-card")).to_contain_text("n = 36")
    mark.click()

    expect(researcher).to_have_url(re.compile(r"/explore/\?coefficient=pearson&metric=[\w-]+#scatter$"))


def test_heatmap_and_multiverse_can_be_pointed_at(researcher: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    researcher.goto(f"{live_server.url}/studies/rated/explore/?resamples=100&multiverse=on&wait=1")
    do_the_work()
    researcher.set_viewport_size(DESKTOP)
    researcher.goto(f"{live_server.url}/studies/rated/explore/?resamples=100&multiverse=on")
    for _ in show_at(researcher, DESKTOP, SMALL):
        point_at_both(researcher)
        wait_for_pictures(researcher)
        check_page(researcher, "explorer-touched")


def point_at_both(page: Page) -> None:
    for name, told in (
        ("Differences between metrics", "corrected p = "),
        ("Multiverse", "share of universes with rank"),
    ):
        section = page.get_by_role("region", name=name, exact=True)
        section.scroll_into_view_if_needed()
        expect(section.locator("figure.is-live")).to_be_visible()
        # The number of a cell covers its middle.
        point_at(section.locator(".live-plot text.point-mark").first)
        expect(section.locator(".plot-card")).to_contain_text(told)


def test_a_plot_that_is_being_drawn_is_not_there_beside_its_picture(researcher: Page, live_server, owner) -> None:  # noqa: F811
    def never_draw(route: Route) -> None:
        loaded = route.fetch()
        never = "vega.View.prototype.runAsync = () => new Promise(() => {});"
        route.fulfill(response=loaded, body=f"{loaded.text()}\n{never}")

    researcher.route(re.compile(r"/vega\.min\.[^/]*$"), never_draw)
    make_study_of(owner)
    researcher.goto(f"{live_server.url}/studies/rated/explore/?resamples=100&multiverse=on&wait=1")
    for name in ("Differences between metrics", "Multiverse"):
        section = researcher.get_by_role("region", name=name, exact=True)
        section.scroll_into_view_if_needed()
        expect(section.locator(".live-plot svg")).to_be_attached()
        expect(section.locator("img")).to_be_visible()
    wait_for_pictures(researcher)

    check_page(researcher, "explorer-drawing")


def test_intervals_arrive_without_reload(researcher: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    researcher.goto(f"{live_server.url}/studies/rated/explore/?resamples=100")
    expect(researcher.get_by_text("Intervals: waiting for a worker.")).to_be_visible()

    do_the_work()

    expect(researcher.get_by_text("Letters: two metrics share a letter")).to_be_visible()
    expect(researcher.get_by_role("region", name="Table of differences")).to_be_visible()
    expect(researcher.get_by_text("Intervals: waiting for a worker.")).to_have_count(0)
    wait_for_pictures(researcher)


def list_states() -> list[str]:
    """Return the states of all jobs, oldest first."""
    return list(Job.objects.order_by("pk").values_list("state", flat=True))


def choose_seed(page: Page, seed: str) -> None:
    page.get_by_label("Seed").fill(seed)
    page.get_by_label("Seed").press("Tab")
    expect(page).to_have_url(re.compile(f"seed={seed}"))


def test_options_cancel_the_jobs_of_their_own_tab_only(researcher: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    address = f"{live_server.url}/studies/rated/explore/"
    researcher.goto(f"{address}?resamples=100")
    other = researcher.context.new_page()
    other.goto(f"{address}?resamples=200")
    # A page knows after a reload what its tab has waited for.
    other.reload()

    choose_seed(other, "7")

    assert list_states() == ["queued", "cancelled", "queued"]
    expect(researcher.get_by_text("Intervals: waiting for a worker.")).to_be_visible()
    do_the_work()
    for page in (researcher, other):
        expect(page.get_by_text("Letters: two metrics share a letter")).to_be_visible()


def test_keyboard_alone_changes_and_downloads(researcher: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    researcher.goto(f"{live_server.url}/studies/rated/explore/")

    researcher.get_by_label("Level", exact=True).focus()
    researcher.keyboard.press("Tab")
    expect(researcher.get_by_label("Coefficient")).to_be_focused()
    # One key: after a pause, a browser takes the next one for the beginning of another choice.
    researcher.keyboard.press("s")
    expect(researcher.get_by_role("columnheader", name="Spearman").first).to_be_visible()
    expect(researcher.get_by_label("Coefficient")).to_be_focused()

    researcher.get_by_role("link", name="LaTeX, table of agreement").focus()
    with researcher.expect_download() as download:
        researcher.keyboard.press("Enter")
    assert download.value.suggested_filename == "rated-table.tex"


def test_explorer_works_without_javascript(browser: Browser, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/rated/explore/")

    page.get_by_label("Coefficient").select_option("kendall-b")
    page.get_by_text("Intervals and tests").click()
    follow(page.get_by_role("button", name="Show"))
    expect(page.get_by_role("columnheader", name="Kendall τ-b").first).to_be_visible()
    follow(page.get_by_role("link", name="Compute now and wait"))

    expect(page.get_by_text("Letters: two metrics share a letter")).to_be_visible()
    expect(page.get_by_role("region", name="Table of differences")).to_be_visible()

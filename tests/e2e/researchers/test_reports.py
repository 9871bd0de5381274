"""Tests of a report in a browser: frozen, shared, and read by somebody who has only its address."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from studies.models import FrozenReport, Study
from tests.e2e.looking import SMALL, check_sizes, expect_seen, follow, show_at
from tests.e2e.researchers.test_pages import DESKTOP, log_in, wait_for_pictures
from tests.factories.studies import make_user
from tests.studies.publishing.test_report_jobs import work
from tests.studies.rated import make_rated_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def study(transactional_db):
    study = make_rated_study()
    Study.objects.filter(pk=study.pk).update(owner=make_user("owner"), title="A study of length")
    return study


def freeze(page: Page, live_server, *sizes: ViewportSize) -> None:
    """Freeze a report at the last of these sizes; what is clicked is seen at each of them."""
    page.goto(f"{live_server.url}/studies/rated/")
    link = page.get_by_role("link", name="Reports")
    expect_seen(link, sizes=sizes)
    follow(link)
    page.get_by_text("Choose protocol, metrics, intervals and tests").click()
    resamples, button = page.get_by_label("Resamples:"), page.get_by_role("button", name="Freeze a report")
    expect_seen(resamples, button, sizes=sizes)
    resamples.fill("20")
    follow(button)
    expect(page.get_by_text("The report is being created.")).to_be_visible()
    expect(page.get_by_role("heading", name="Creating a report")).to_be_visible()


def share(page: Page) -> str:
    follow(page.get_by_role("button", name="Create a share link"))
    address = page.get_by_label(re.compile("^Anyone with this address")).input_value()
    assert re.search(r"/shared/[\w-]{43}/$", address)
    return address


def look(page: Page, name: str, *seen: Locator, opens_details: bool = False) -> None:
    """Check a page with all its pictures, and that these parts of it are seen, on a desktop and on a small phone."""
    for size in show_at(page, DESKTOP, SMALL):
        if opens_details:
            page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.evaluate("[...document.images].forEach(image => image.loading = 'eager')")
        wait_for_pictures(page)
        check_sizes(page, name, size, seen=seen)


def test_a_report_is_frozen_shared_and_read_by_a_stranger(page: Page, browser: Browser, live_server, study) -> None:
    page.set_viewport_size(SMALL)
    log_in(page, live_server, "owner")
    freeze(page, live_server, DESKTOP, SMALL)
    waiting = (
        page.get_by_text("The report is being created."),
        page.get_by_role("heading", name="Creating a report"),
    )
    check_sizes(page, "reports-waiting", DESKTOP, SMALL, seen=waiting)

    work()

    # The page looks again by itself.
    follow(page.get_by_role("link", name="Report 1"))
    results = page.get_by_role("region", name="Table of results")
    expect(results).to_contain_text("people, mean-pairwise")
    look(page, "report", results, page.get_by_role("button", name="Create a share link"), opens_details=True)
    address = share(page)
    revoke = page.get_by_role("button", name=re.compile("^Revoke the link"))
    shown = page.get_by_label(re.compile("^Anyone with this address"))
    check_sizes(page, "report-shared-once", DESKTOP, SMALL, seen=[shown, revoke])

    stranger = browser.new_context(viewport=SMALL).new_page()
    stranger.goto(address)
    results, latex = (
        stranger.get_by_role("region", name="Table of results"),
        stranger.get_by_role("link", name="LaTeX").first,
    )
    expect(results).to_contain_text("people, mean-pairwise")
    look(stranger, "shared", results, stranger.get_by_role("img", name=re.compile("^Forest plot")), latex)
    with stranger.expect_download() as download:
        latex.click()
    assert download.value.suggested_filename == "report-1-table.tex"

    follow(revoke)
    revoked = page.get_by_text("The link has been revoked.")
    expect(revoked).to_be_visible()
    response = stranger.reload()
    assert response is not None
    assert response.status == 404
    check_sizes(page, "report-list-of-links", DESKTOP, SMALL, seen=[revoked])
    page.goto(f"{live_server.url}/studies/rated/reports/")
    check_sizes(page, "reports", DESKTOP, SMALL)


def test_reports_work_without_javascript(browser: Browser, live_server, study) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, live_server, "owner")
    freeze(page, live_server, DESKTOP)

    work()

    follow(page.get_by_role("link", name="Refresh"))
    follow(page.get_by_role("link", name="Report 1"))
    expect(page.get_by_text(re.compile("^Raters rated captions one by one"))).to_be_visible()
    page.get_by_text("The numbers behind the figure").click()
    expect(page.get_by_role("region", name="Table of differences")).to_contain_text("rouge-l")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the bundle").click()
    assert download.value.suggested_filename == "rated-report-1.zip"
    page.goto(share(page))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert FrozenReport.objects.count() == 1

"""Tests of the ranking of systems in a browser: desktop and phone, in light and dark."""

import pytest
from playwright.sync_api import Browser, Page, expect

from studies.enums import TaskKind
from tests.e2e.looking import PHONE, check_page, follow
from tests.e2e.researchers.test_pages import DESKTOP, log_in, owner, wait_for_pictures  # noqa: F401
from tests.studies.analysis.ranked import make_ranked_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_page(page: Page, live_server) -> None:
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/ranked/")
    follow(page.get_by_role("navigation", name="Pages of this study").get_by_role("link", name="Explore"))
    follow(page.get_by_role("navigation", name="Explore").get_by_role("link", name="Systems"))
    expect(page.get_by_role("heading", name="How systems are ranked")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    wait_for_pictures(page)
    assert complaints == []


def test_page_answers_is_accessible_and_fits(browser: Browser, live_server, owner) -> None:  # noqa: F811
    make_ranked_study(kind=TaskKind.PAIRWISE, owner=owner)

    for size, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
        page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
        open_page(page, live_server)
        check_answers(page, size=size, scheme=scheme)


def check_answers(page: Page, *, size: dict, scheme: str) -> None:
    expect(page.get_by_role("heading", name="best has the highest Bradley-Terry strength")).to_be_visible()
    figure = page.get_by_role("img", name="Forest plot of systems by Bradley-Terry strength, best first: best")
    assert figure.evaluate("image => image.naturalWidth") > 200
    # A phone gets a figure of its own, whose text is not smaller than the page's small print.
    assert ("narrow" in figure.evaluate("image => image.currentSrc")) == (size == PHONE)
    assert figure.evaluate("image => image.clientWidth <= image.closest('section').clientWidth")
    table = page.get_by_role("region", name="Table of systems")
    expect(table.get_by_role("row")).to_have_count(4)
    expect(page.get_by_role("region", name="Table of differences").get_by_role("row")).to_have_count(4)
    check_page(page, f"systems-{scheme}")
    with page.expect_download() as started:
        page.get_by_role("link", name="LaTeX, ranking of systems").click()
    assert started.value.suggested_filename == "ranked-systems-table.tex"

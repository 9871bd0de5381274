"""Tests of pages of a large study in a browser: they show that values are being computed, and then the values."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from jobs.worker.running import run_waiting_jobs
from studies.analysis import cached_results
from tests.e2e.jobs import work_beside
from tests.e2e.looking import check_page, keep_still, wait_for_first
from tests.e2e.researchers.test_pages import log_in, owner, researcher  # noqa: F401
from tests.studies.rated import make_rated_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHOWN = {
    "": ("img", "Forest plot"),
    "explore/": ("region", "Table of agreement"),
    "disagreements/": ("heading", "Legend"),
    "monitoring/": ("img", "Bar chart of items"),
}


@pytest.mark.parametrize("part", SHOWN)
def test_page_fills_by_itself(researcher: Page, live_server, owner, monkeypatch, part: str) -> None:  # noqa: F811
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)
    study = make_rated_study()
    study.owner = owner
    study.save()
    role, name = SHOWN[part]

    researcher.goto(f"{live_server.url}/studies/rated/{part}")
    waiting = researcher.get_by_text("will appear here" if part == "" else "There are many judgments, so")
    expect(waiting.first).to_be_visible()
    check_page(researcher, f"large-{part.strip('/') or 'overview'}")

    # The page asks for the second piece of work once it finds the first one done.
    with work_beside():
        expect(researcher.get_by_role(role, name=name).first).to_be_attached()
        expect(waiting).to_have_count(0)


def test_scatter_of_the_overview_comes_after_the_results(researcher: Page, live_server, owner, monkeypatch) -> None:  # noqa: F811
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)
    study = make_rated_study()
    study.owner = owner
    study.save()
    researcher.goto(f"{live_server.url}/studies/rated/")
    # Otherwise the page might ask for the scatter plot while jobs are run.
    with keep_still(researcher) as held:
        wait_for_first(researcher, held)
        run_waiting_jobs(now=timezone.now)
    expect(researcher.get_by_role("img", name="Forest plot").first).to_be_attached()
    expect(researcher.get_by_role("img", name="Scatter plot of")).to_have_count(0)
    check_page(researcher, "large-overview-scatter")

    with work_beside():
        expect(researcher.get_by_role("img", name="Scatter plot of")).to_be_visible()
    researcher.locator("#scatter").get_by_text("Show as a table").click()
    expect(researcher.get_by_role("region", name="Table of scores by judgment")).to_be_visible()

"""Tests of the pages of human evaluation in a browser, on a desktop and on phones."""

import pytest
from playwright.sync_api import Page, expect

from challenges.human.samples import PEOPLE
from challenges.models import Team
from tests.challenges.human.evaluation import TEAMS, close_human, evaluate, judge, make_evaluated_phase, open_human
from tests.e2e.looking import NARROW, PHONE, check_page, check_sizes, follow, tab_through
from tests.e2e.researchers.test_pages import DESKTOP, log_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = (DESKTOP, PHONE, NARROW)
PHASE = "/challenges/captions/phases/test/"
HOST = "host-of-captions"


@pytest.fixture
def phase(transactional_db, settings, tmp_path):
    """A phase with closed studies of three criteria and an open one; the name of a team is long."""
    settings.MEDIA_ROOT = tmp_path
    phase = make_evaluated_phase()
    ratings = {"Lynx": 5.0, "Ibex": 4.0, "Puma": 1.0}
    taken = {"Lynx": 1.0, "Ibex": 0.0, "Puma": 0.0, PEOPLE: 1.0}
    order = list(TEAMS)
    pairs = {(one, other): 1.0 if order.index(one) < order.index(other) else 0.0 for one in order for other in order}
    for criterion, values in (("M2", taken), ("M3", ratings), ("wins", pairs)):
        human = evaluate(phase, criterion)
        open_human(human)
        judge(human, values)
        close_human(human)
    open_human(evaluate(phase, "M4"))
    evaluate(phase, "M1")
    Team.objects.filter(name="Puma").update(name="Averylongname_" * 4)
    return phase


def test_pages_are_accessible_and_fit(page: Page, live_server, phase) -> None:
    log_in(page, live_server, HOST)
    for name in ("leaderboard/", "human/", "human/new/", "human/correlate/"):
        response = page.goto(f"{live_server.url}{PHASE}{name}")
        assert response is not None
        assert response.status == 200
        check_sizes(page, f"human-{name.strip('/').replace('/', '-')}", *SIZES)
    page.goto(f"{live_server.url}/challenges/captions/host/")
    check_sizes(page, "human-host", *SIZES)


def test_a_host_makes_a_study_shows_results_and_correlates(page: Page, live_server, phase) -> None:
    log_in(page, live_server, HOST)
    page.goto(f"{live_server.url}{PHASE}human/new/")
    tab_through(page)
    page.get_by_label("What raters judge").select_option("M5")
    page.get_by_label("Images").fill("9")
    follow(page.get_by_role("button", name="Create the study"))
    expect(page.get_by_text("The number of images must be 1 to 4")).to_be_visible()
    page.get_by_label("Images").fill("3")
    follow(page.get_by_role("button", name="Create the study"))
    expect(page.get_by_text("The study is a draft. Complete its design, then open it.")).to_be_visible()

    page.goto(f"{live_server.url}{PHASE}human/")
    follow(page.get_by_role("button", name="Show the results of study-m4 now"))
    expect(page.get_by_text("The results are shown with the leaderboard.")).to_be_visible()


def test_a_host_correlates_people_and_metrics(page: Page, live_server, phase) -> None:
    log_in(page, live_server, HOST)
    page.goto(f"{live_server.url}{PHASE}human/")
    follow(page.get_by_role("link", name="Correlate people and metrics"))
    follow(page.get_by_role("button", name="Correlate"))
    expect(page.get_by_role("main")).to_contain_text("external:cider-d:c2")
    check_page(page, "human-correlations")

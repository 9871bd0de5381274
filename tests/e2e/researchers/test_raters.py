"""Tests of what needs no terminal, in a browser: links for raters, payments, imports, and the planner."""

import csv
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from studies.design.study_design import Panel, Pay
from studies.enums import PanelKind, RaterOutcome
from studies.models import Identity, Study
from tests.e2e.jobs import background_worker, wait_for_job  # noqa: F401 - a fixture
from tests.e2e.looking import PHONE, check_sizes, follow
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater, make_user
from tests.studies.scoring.working import finish, work

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TABLE = "img;text;model;score\na;A dog.;m1;3\na;A cat.;m2;1\nb;A tree.;m1;4\nb;A bush.;m2;2\n"


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.ACCORDANCE_UPLOADS = tmp_path / "uploads"


@pytest.fixture
def page(browser: Browser, live_server, transactional_db) -> Page:
    """The browser of the owner, logged in, on a phone."""
    make_user("owner")
    page = browser.new_context(viewport=PHONE).new_page()
    log_in(page, live_server, "owner")
    return page


def _make_study(name: str, kind: PanelKind) -> Study:
    pay = Pay(currency="GBP", reward=1.0, hourly_wage=12.0, budget=50.0)
    panel = Panel(kind=kind, codes={RaterOutcome.FINISHED: "DONE1"})
    study = make_open_study(name, n_tasks=1, task_seconds=60, pay=pay, panel=panel)
    Study.objects.filter(pk=study.pk).update(owner=User.objects.get(username="owner"))
    return study


def test_links_codes_and_payments(page: Page, live_server, tmp_path) -> None:
    _make_study("mine", PanelKind.IN_HOUSE)
    study = _make_study("panel", PanelKind.PROLIFIC)
    Identity.objects.create(identity_hash="a" * 64, panel="prolific", participant_id="zoe", created_at=NOW)
    rater = make_rater(study, identity_hash="a" * 64)
    work(rater, seconds=600)
    finish(rater)

    page.goto(f"{live_server.url}/studies/mine/")
    follow(page.get_by_role("link", name="Raters", exact=True))
    page.get_by_label("People").fill("ann@example.org\nbob@example.org")
    check_sizes(page, "raters-in-house", DESKTOP, PHONE)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the links").click()
    path = Path(tmp_path / "links.csv")
    download.value.save_as(path)
    links = list(csv.DictReader(path.read_text().splitlines()))
    assert [link["person"] for link in links] == ["ann@example.org", "bob@example.org"]
    assert links[0]["link"].startswith(f"{live_server.url}/r/")

    page.goto(f"{live_server.url}/studies/panel/raters/")
    expect(page.get_by_role("textbox", name="Study URL")).to_have_value(f"{live_server.url}/r/{study.join_token}/"
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}")  # fmt: skip
    check_sizes(page, "raters-prolific", DESKTOP, PHONE)
    follow(page.get_by_role("link", name="Payments", exact=True))
    follow(page.get_by_role("button", name="Record 1 payment"))
    expect(page.get_by_text("1 payment recorded.")).to_be_visible()
    check_sizes(page, "payments", DESKTOP, PHONE)
    page.get_by_label("and record them as paid").check()
    with page.expect_download():
        page.get_by_role("button", name="Download the list of payees").click()
    page.goto(f"{live_server.url}/studies/panel/submissions/")
    check_sizes(page, "submissions", DESKTOP, PHONE)
    page.goto(f"{live_server.url}/studies/panel/payments/")
    expect(page.get_by_text("0 recorded payments have not been paid")).to_be_visible()


def test_table_of_judgments_is_imported(page: Page, live_server, worker, tmp_path) -> None:
    table = tmp_path / "judged.csv"
    table.write_text(TABLE.replace("score", "punkte"))
    page.goto(f"{live_server.url}/studies/")
    follow(page.get_by_role("link", name="Import judgments"))
    page.get_by_label("Files").set_input_files(table)
    check_sizes(page, "import", DESKTOP, PHONE)
    follow(page.get_by_role("button", name="Import", exact=True))
    expect(page.get_by_role("alert")).to_contain_text("needs column value=COLUMN")
    page.get_by_label("Judgment:", exact=True).fill("punkte")
    check_sizes(page, "import-failed", DESKTOP, PHONE)
    follow(page.get_by_role("button", name="Import", exact=True))

    expect(page.get_by_text("Imported: study judged")).to_be_visible()


def test_planner_draws_the_power(page: Page, live_server) -> None:
    _make_study("mine", PanelKind.LINK)
    page.goto(f"{live_server.url}/studies/mine/design/planner/?what=preference&share=0.6&wage=12&seconds=20")

    expect(page.get_by_role("img", name="Power curve: 80% with 204 pairs")).to_be_visible()
    page.get_by_text("Power as a table").click()
    check_sizes(page, "planner-curve", DESKTOP, PHONE)

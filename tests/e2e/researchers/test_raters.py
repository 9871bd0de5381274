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
from tests.e2e.looking import PHONE, check_sizes, expect_seen, follow
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater, make_user
from tests.studies.scoring.working import finish, work

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = (DESKTOP, PHONE)
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
    raters = page.get_by_role("link", name="Raters", exact=True)
    expect_seen(raters, sizes=SIZES)
    follow(raters)
    people, links_button = page.get_by_label("People"), page.get_by_role("button", name="Download the links")
    people.fill("ann@example.org\nbob@example.org")
    check_sizes(page, "raters-in-house", *SIZES, seen=[people, links_button])
    with page.expect_download() as download:
        links_button.click()
    path = Path(tmp_path / "links.csv")
    download.value.save_as(path)
    links = list(csv.DictReader(path.read_text().splitlines()))
    assert [link["person"] for link in links] == ["ann@example.org", "bob@example.org"]
    assert links[0]["link"].startswith(f"{live_server.url}/r/")

    page.goto(f"{live_server.url}/studies/panel/raters/")
    address = page.get_by_role("textbox", name="Study URL")
    expect(address).to_have_value(f"{live_server.url}/r/{study.join_token}/"
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}")  # fmt: skip
    payments = page.get_by_role("link", name="Payments", exact=True)
    check_sizes(page, "raters-prolific", *SIZES, seen=[address, payments])
    follow(payments)
    record = page.get_by_role("button", name="Record 1 payment")
    expect_seen(record, sizes=SIZES)
    follow(record)
    paid, payees = (
        page.get_by_label("and record them as paid"),
        page.get_by_role("button", name="Download the list of payees"),
    )
    check_sizes(page, "payments", *SIZES, seen=[page.get_by_text("1 payment recorded."), paid, payees])
    paid.check()
    with page.expect_download():
        payees.click()
    page.goto(f"{live_server.url}/studies/panel/submissions/")
    check_sizes(page, "submissions", *SIZES)
    page.goto(f"{live_server.url}/studies/panel/payments/")
    expect_seen(page.get_by_text("0 recorded payments have not been paid"), sizes=SIZES)


def test_table_of_judgments_is_imported(page: Page, live_server, worker, tmp_path) -> None:
    table = tmp_path / "judged.csv"
    table.write_text(TABLE.replace("score", "punkte"))
    page.goto(f"{live_server.url}/studies/")
    link, button = (
        page.get_by_role("link", name="Import judgments"),
        page.get_by_role("button", name="Import", exact=True),
    )
    expect_seen(link, sizes=SIZES)
    follow(link)
    page.get_by_label("Files").set_input_files(table)
    check_sizes(page, "import", *SIZES, seen=[button])
    follow(button)
    expect(page.get_by_role("alert")).to_contain_text("needs column value=COLUMN")
    judgment = page.get_by_label("Judgment:", exact=True)
    judgment.fill("punkte")
    check_sizes(page, "import-failed", *SIZES, seen=[page.get_by_role("alert"), judgment, button])
    follow(button)

    expect_seen(page.get_by_text("Imported: study judged"), sizes=SIZES)


def test_planner_draws_the_power(page: Page, live_server) -> None:
    _make_study("mine", PanelKind.LINK)
    page.goto(f"{live_server.url}/studies/mine/design/planner/?what=preference&share=0.6&wage=12&seconds=20")

    summary = page.get_by_text("Power as a table")
    summary.click()
    curve = page.get_by_role("img", name="Power curve: 80% with 204 pairs")
    check_sizes(page, "planner-curve", *SIZES, seen=[curve, summary])

"""Tests of a participant's whole way in a browser: join, errors in a file, a corrected file, scores, leaderboard."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from challenges.models import Submission
from tests.challenges.challenges import write_results
from tests.challenges.people import make_arena, make_noon
from tests.e2e.jobs import background_worker  # noqa: F401 - a fixture
from tests.e2e.looking import PHONE, check_page, follow
from tests.e2e.researchers.test_pages import DESKTOP, log_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def arena(transactional_db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    arena = make_arena()
    make_noon(arena.phase)
    return arena


@pytest.fixture
def stranger(page: Page, live_server, arena) -> Page:
    """The browser of somebody without a team; whatever it writes to its console is a failure."""
    complaints: list[str] = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    log_in(page, live_server, "stranger")
    yield page
    # Forms with errors are answered with 422, which the browser reports.
    assert [each for each in complaints if "422" not in each] == []


def look(page: Page, name: str) -> None:
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        check_page(page, f"way-{name}")


@pytest.mark.usefixtures("worker")
def test_from_joining_to_the_leaderboard(stranger: Page, live_server, tmp_path: Path) -> None:
    page = stranger
    wrong, right = tmp_path / "captions_val_wrong_results.json", tmp_path / "captions_val_right_results.json"
    wrong.write_text(json.dumps([{"image_id": 10, "caption": 1}, {"image_id": 99, "caption": "a dog"}]))
    right.write_bytes(write_results(_10="a brown dog running outside"))

    page.goto(f"{live_server.url}/studies/")
    follow(page.get_by_role("link", name="Challenges", exact=True))
    look(page, "00-list")
    follow(page.get_by_role("link", name="Captions"))
    look(page, "01-challenge")
    follow(page.get_by_role("link", name="Join with a new team"))
    follow(page.get_by_role("button", name="Join the challenge"))
    expect(page.get_by_text("Accept the terms to take part.")).to_be_visible()
    look(page, "02-join-error")
    page.get_by_label("Name of your team").fill("Puma")
    page.get_by_label("I accept the terms of the challenge").check()
    follow(page.get_by_role("button", name="Join the challenge"))
    expect(page.get_by_text("Your team takes part.")).to_be_visible()
    look(page, "03-team")

    upload(page, wrong, look_as="04-phase")
    expect(page.get_by_text("This submission failed and does not count.")).to_be_visible()
    expect(page.get_by_text("entry 1: field 'caption': must be text, got 1")).to_be_visible()
    look(page, "05-errors")
    follow(page.get_by_role("link", name="Upload a corrected file"))
    expect(page.get_by_text("0 of 5")).to_be_visible()
    upload(page, right)

    # The page finds out by itself.
    expect(page.get_by_role("region", name="Table of scores")).to_contain_text("rouge-l")
    expect(page.get_by_role("heading", name=re.compile("Scored"))).to_be_visible()
    look(page, "06-scored")
    follow(page.get_by_role("link", name="Your team"))
    look(page, "07-history")
    follow(page.get_by_role("link", name="Test", exact=True).first)
    expect(page.get_by_text("1 of 5")).to_be_visible()
    follow(page.get_by_role("link", name="Leaderboard"))
    expect(page.get_by_role("row", name=re.compile("Puma.*your team"))).to_be_visible()
    look(page, "08-leaderboard")
    follow(page.get_by_role("columnheader", name="rouge-l c3").get_by_role("link"))
    expect(page.get_by_text("ranked by rouge-l with c3")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "captions-test-leaderboard.csv"
    assert "Puma" in Path(download.value.path()).read_text()


def upload(page: Page, file: Path, *, look_as: str = "") -> None:
    if "/phases/" not in page.url:
        follow(page.get_by_role("link", name="Test", exact=True).first)
    if look_as:
        look(page, look_as)
    page.get_by_label("File of results").set_input_files(file)
    page.get_by_label("Description").fill("Trained on COCO.")
    follow(page.get_by_role("button", name="Upload and score"))


def test_an_invitation_and_a_submission_without_javascript(browser: Browser, live_server, arena, tmp_path) -> None:
    file = tmp_path / "captions_val_x_results.json"
    file.write_bytes(write_results())
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, live_server, "member-of-Lynx")
    page.goto(f"{live_server.url}/challenges/captions/team/")
    follow(page.get_by_role("button", name="Create an invitation link"))
    link = page.get_by_label("For one person").input_value()

    other = browser.new_context(java_script_enabled=False).new_page()
    log_in(other, live_server, "stranger")
    other.goto(link)
    other.get_by_label("I accept the terms of the challenge").check()
    follow(other.get_by_role("button", name="Join the team"))
    expect(other.get_by_text("You are in the team Lynx now.")).to_be_visible()
    upload(other, file)
    expect(other.get_by_text("Starting soon.")).to_be_visible()
    follow(other.get_by_role("button", name="Cancel"))
    expect(other.get_by_text("has been cancelled and does not count")).to_be_visible()
    assert Submission.objects.latest("pk").state == "cancelled"

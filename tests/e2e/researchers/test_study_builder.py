"""Tests of creating a study in a browser: files with errors, corrected files, design, preview, freezing."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from studies.models import Preregistration, Study
from tests.e2e.jobs import background_worker, wait_for_job  # noqa: F401 - a fixture
from tests.e2e.looking import SMALL, check_page, follow, follow_by_key
from tests.e2e.researchers.steps import expect_step, open_step, press
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.studies import make_user
from tests.studies.uploads import make_pictures, make_references

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WRONG = "image,system,candidate\na,m1,\nc,m1,A cat on a mat.\n"
RIGHT = "image,system,candidate\na,m1,A dog.\na,m2,A cat.\nb,m1,A tree.\n"


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.ACCORDANCE_UPLOADS = tmp_path / "uploads"


@pytest.fixture
def files(tmp_path) -> dict[str, Path]:
    """Three files of a study, and the table with errors."""
    contents = {
        "wrong.csv": WRONG.encode(),
        "items.csv": RIGHT.encode(),
        "images.zip": make_pictures("a.png", "b.png").read(),
        "references.json": make_references({"a": ["A dog runs.", "One dog."], "b": ["A tree."]}).encode(),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return {name: tmp_path / name for name in contents}


@pytest.mark.parametrize(
    ("size", "has_scripts"), [(DESKTOP, True), (SMALL, True), (DESKTOP, False)], ids=["desktop", "small", "no-script"]
)
def test_study_from_three_files_to_its_preregistration(
    browser: Browser, live_server, transactional_db, worker, files, size: dict, has_scripts: bool
) -> None:
    make_user("owner")
    page = browser.new_context(viewport=size, java_script_enabled=has_scripts).new_page()
    log_in(page, live_server, "owner")
    look = check_page if has_scripts else lambda *_: None

    page.goto(f"{live_server.url}/studies/")
    follow(page.get_by_role("link", name="New study"))
    page.get_by_label("Name").fill("mine")
    page.get_by_label("Title").fill("Captions of mine")
    page.get_by_label("Start from").select_option("preset:coco-m3")
    page.get_by_label("Items").set_input_files(files["wrong.csv"])
    page.get_by_label("Images").set_input_files(files["images.zip"])
    page.get_by_label("References").set_input_files(files["references.json"])
    look(page, "new-study")
    follow(page.get_by_role("button", name="Check the files"))
    wait_for_job(page, has_scripts=has_scripts)

    expect(page.get_by_role("alert")).to_contain_text("2 errors")
    errors = page.get_by_role("region", name="Errors")
    expect(errors.get_by_text(re.compile("Column candidate of .*must not be empty, in line 2"))).to_be_visible()
    expect(errors.get_by_text(re.compile("Column image of .*must be a file in images.zip, in line 3"))).to_be_visible()
    expect(page.get_by_role("button", name="Create the study")).to_have_count(0)
    look(page, "upload-errors")
    page.get_by_label("Items").set_input_files(files["items.csv"])
    follow(page.get_by_role("button", name="Check again"))
    wait_for_job(page, has_scripts=has_scripts)

    expect(page.get_by_role("heading", name="Errors")).to_have_count(0)
    for rows in ("First rows", "First references"):
        expect(page.get_by_role("region", name=rows).get_by_role("cell", name="A tree.")).to_be_visible()
    look(page, "upload")
    follow(page.get_by_role("button", name="Create the study"))
    wait_for_job(page, has_scripts=has_scripts)

    expect(page.get_by_text("Created a draft with 2 images and 3 tasks.")).to_be_visible()
    expect_step(page, "raters")
    look(page, "step-raters")
    page.get_by_label("Consent:", exact=True).fill("I agree to **take part**.")
    page.get_by_label("Reward per session").fill("-1")
    press(page, "Next")
    expect(page.get_by_text("Not saved. Please correct the errors below.")).to_be_visible()
    look(page, "step-error")
    page.get_by_label("Reward per session").fill("1.5")
    press(page, "Previous")
    expect(page.get_by_text("Saved “Raters and pay” as version 2.")).to_be_visible()
    expect_step(page, "question")
    look(page, "step-question")
    for step in ("files", "checks", "analysis", "launch"):
        open_step(page, step)
        look(page, f"step-{step}")
    expect(page.get_by_text("The study is ready to be opened.")).to_be_visible()

    follow(page.get_by_role("link", name="Preview it as a rater"))
    expect(page.get_by_text("This is a preview of the rater pages.")).to_be_visible()
    expect(page.locator(".terms strong")).to_have_text("take part")
    look(page, "preview-join")
    page.get_by_role("checkbox").check()
    follow(page.get_by_role("button", name="Continue"))
    follow(page.get_by_role("link", name="Start with the first task"))
    look(page, "preview-task")
    page.locator("label.choice").first.click()
    follow(page.get_by_role("button", name=re.compile("Save")))
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()

    page.goto(f"{live_server.url}/studies/mine/design/planner/")
    page.get_by_label("Correlation of metric 1 with").fill("0.6")
    page.get_by_label("Correlation of metric 2").fill("0.5")
    page.get_by_label("Correlation between the two metrics").fill("0.7")
    follow(page.get_by_role("button", name="Plan"))
    expect(page.get_by_role("heading", name="The study needs 311 items")).to_be_visible()
    look(page, "planner")

    page.goto(f"{live_server.url}/studies/mine/design/preregistration/")
    for metric in ("length", "rouge-l"):
        page.get_by_role("checkbox", name=re.compile(rf"^{metric} \(")).check()
    page.get_by_label("End of data collection").fill("When every task has been judged.")
    follow(page.get_by_role("button", name="Preregister design and plan"))
    expect(page.get_by_text("Created preregistration 1.")).to_be_visible()
    expect(page.get_by_text("None so far.")).to_be_visible()
    look(page, "preregistration")
    assert Preregistration.objects.get().digest in page.content()

    page.goto(f"{live_server.url}/studies/mine/design/clone/")
    look(page, "clone")
    page.get_by_label("Number of main tasks (pilot)").fill("1")
    follow(page.get_by_role("button", name="Create"))
    open_step(page, "launch")
    expect(page.get_by_text("Pilot of")).to_be_visible()
    assert Study.objects.get(name="mine-2").tasks.count() == 1


def test_form_is_filled_and_sent_by_keyboard_alone(page: Page, live_server, transactional_db, worker, files) -> None:
    make_user("owner")
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/new/")
    page.get_by_label("Items").set_input_files(files["items.csv"])
    page.get_by_label("Images").set_input_files(files["images.zip"])

    page.get_by_label("Title").focus()
    page.keyboard.type("Typed")
    page.keyboard.press("Tab")
    page.keyboard.type("typed")
    page.keyboard.press("Tab")
    # One key: after a pause, a browser takes the next one for the beginning of another choice.
    page.keyboard.press("c")
    expect(page.get_by_label("Start from")).to_have_value("preset:coco-m3")
    page.keyboard.press("Shift+Tab")
    follow_by_key(page)

    expect(page.get_by_role("heading", name="Upload: Typed")).to_be_visible()
    wait_for_job(page, has_scripts=True)
    page.get_by_role("button", name="Create the study").focus()
    follow_by_key(page)
    expect(page.get_by_role("heading", name="Raters and pay")).to_be_visible()
    assert Study.objects.get().title == "Typed"

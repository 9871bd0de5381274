"""Tests of a newcomer's whole way: an account, a study from files, a simulation, a table, a shared report.

The site is served for real by `manage.py serve`, with its worker of the background; nothing is typed in a terminal.
With ACCORDANCE_SHOTS=FOLDER every step is kept there as a picture, on a desktop and on a small phone.
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.looking import SMALL, check_page, follow, keep_still
from tests.e2e.researchers.steps import press
from tests.e2e.researchers.test_pages import DESKTOP, wait_for_pictures
from tests.postgres import find_free_port
from tests.studies.management.commands.processes import make_environment, start
from tests.studies.management.commands.test_serve import fetch
from tests.studies.uploads import make_pictures

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PASSWORD = "wide-open-meadow-7"
CAPTIONS = {
    "short": (
        *("a dog", "a cat", "two birds", "a red car", "some trees"),
        *("a boat", "a bridge", "a clock", "two cows", "a cake"),
    ),
    "plain": (
        "a dog runs on grass",
        "a cat sleeps on a chair",
        "two birds sit on a wire",
        "a red car stands in a street",
        "trees beside a lake",
        "a boat on the water",
        "a bridge over a river",
        "a clock on a tower",
        "two cows stand in a field",
        "a cake with candles",
    ),
    "wordy": (
        "a brown dog runs fast over the green grass of a park",
        "a grey cat sleeps on an old wooden chair in the sun",
        "two small birds sit close to each other on a wire",
        "a bright red car stands empty in a narrow street",
        "tall trees beside a quiet lake under a cloudy sky",
        "a white boat with one sail far out on the blue water",
        "an old bridge of stone over a wide and slow river",
        "a round clock with black hands high on a church tower",
        "two brown cows stand side by side in a green field",
        "a large cake with white icing and seven burning candles",
    ),
}
REFERENCES = (
    ("A dog is running over the grass.", "A brown dog on a lawn."),
    ("A cat sleeps on a chair.", "A sleeping cat."),
    ("Two birds on a wire.", "A pair of birds sits on a wire."),
    ("A red car in a street.", "A parked red car."),
    ("Trees at a lake.", "A lake with trees beside it."),
    ("A boat on the sea.", "A sailing boat on blue water."),
    ("A bridge over a river.", "A stone bridge."),
    ("A clock on a tower.", "A church tower with a clock."),
    ("Two cows in a field.", "Cows on green grass."),
    ("A cake with candles.", "A birthday cake."),
)
# With fewer images, metrics are not compared.
IMAGES = tuple(f"photo-{number}" for number in range(1, 11))


@pytest.fixture
def files(tmp_path) -> dict[str, Path]:
    """The three files of a study."""
    folder = tmp_path / "files"
    folder.mkdir()
    with (folder / "captions.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["image", "system", "candidate"])
        table.writerows(
            (image, system, texts[number]) for number, image in enumerate(IMAGES) for system, texts in CAPTIONS.items()
        )
    (folder / "photos.zip").write_bytes(make_pictures(*(f"{image}.png" for image in IMAGES)).read())
    with (folder / "references.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["image", "reference"])
        table.writerows((image, text) for image, texts in zip(IMAGES, REFERENCES, strict=True) for text in texts)
    return {file.name: file for file in folder.iterdir()}


@pytest.fixture
def site(tmp_path) -> Iterator[str]:
    """The address of a site that is served as `make demo` serves it, with nothing in it."""
    folder = tmp_path / "var"
    folder.mkdir()
    port = find_free_port()
    environment = make_environment(folder, ACCORDANCE_SIGN_UP="open", HOME=str(tmp_path))
    with start("serve", "--port", str(port), "--workers", "1", environment=environment) as process:
        try:
            fetch(f"http://127.0.0.1:{port}/login/", within=120)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def look(page: Page, name: str) -> None:
    """Check a page, its pictures loaded, with axe and for its width on a small phone and on a desktop."""
    page.evaluate("[...document.images].forEach(image => image.loading = 'eager')")
    wait_for_pictures(page)
    for size in (SMALL, DESKTOP):
        page.set_viewport_size(size)
        check_page(page, f"newcomer-{name}")


def test_a_newcomer_needs_no_terminal(browser: Browser, site: str, files: dict[str, Path]) -> None:
    page = browser.new_context(viewport=DESKTOP).new_page()
    page.set_default_timeout(30_000)
    sign_up(page, site)
    make_study(page, files)
    preview(page)
    freeze_plan(page, site)
    simulate(page, site)
    run_metrics(page)
    see_the_table(page)
    compare_two(page)
    address = report_and_share(page)

    stranger = browser.new_context(viewport=DESKTOP).new_page()
    stranger.goto(address)
    expect(stranger.get_by_role("region", name="Table of results")).to_contain_text("rouge-l")
    expect(stranger.get_by_text("All judgments in this report are simulated")).to_be_visible()
    look(stranger, "15-shared")


def sign_up(page: Page, site: str) -> None:
    page.goto(site)
    look(page, "00-login")
    follow(page.get_by_role("link", name="Sign up"))
    page.get_by_label("Username").fill("newcomer")
    page.get_by_label("E-mail address").fill("newcomer@example.org")
    page.get_by_label("Password:", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    look(page, "01-sign-up")
    follow(page.get_by_role("button", name="Create an account"))
    expect(page.get_by_role("heading", name="Studies", exact=True)).to_be_visible()
    look(page, "02-no-studies")


def make_study(page: Page, files: dict[str, Path]) -> None:
    follow(page.get_by_role("link", name="New study").first)
    page.get_by_label("Name").fill("photos")
    page.get_by_label("Title").fill("Captions of my photos")
    page.get_by_label("Start from").select_option("preset:coco-m3")
    page.get_by_label("Items").set_input_files(files["captions.csv"])
    page.get_by_label("Images").set_input_files(files["photos.zip"])
    page.get_by_label("References").set_input_files(files["references.csv"])
    look(page, "03-new-study")
    follow(page.get_by_role("button", name="Check the files"))
    # Looked at by a job, whose end the page finds out by itself.
    expect(page.get_by_role("button", name="Create the study")).to_be_visible()
    look(page, "04-files")
    follow(page.get_by_role("button", name="Create the study"))
    expect(page.get_by_text("Created a draft with 10 images and 30 tasks.")).to_be_visible()
    page.get_by_label("Consent:", exact=True).fill("I am 18 or older and agree to take part.")
    page.get_by_label("Expected time per task, in seconds").fill("10")
    page.get_by_label("Raters per task").fill("5")
    page.get_by_label("Reward per session").fill("1")
    page.get_by_label("Minimum hourly wage").fill("12")
    press(page, "Save and go to Launch")
    expect(page.get_by_text("The study is ready to be opened.")).to_be_visible()
    look(page, "05-design")


def preview(page: Page) -> None:
    follow(page.get_by_role("link", name="Preview it as a rater"))
    page.get_by_role("checkbox").check()
    follow(page.get_by_role("button", name="Continue"))
    follow(page.get_by_role("link", name="Start with the first task"))
    look(page, "06-preview")


def freeze_plan(page: Page, site: str) -> None:
    page.goto(f"{site}/studies/photos/design/")
    follow(page.get_by_role("link", name="Preregister design and plan"))
    for metric in ("bleu-1", "rouge-l"):
        page.get_by_role("checkbox", name=re.compile(rf"^{metric} \(")).check()
    page.get_by_label("End of data collection").fill("When every task has five raters.")
    follow(page.get_by_role("button", name="Preregister design and plan"))
    expect(page.get_by_text("Created preregistration 1.")).to_be_visible()
    look(page, "07-preregistration")


def simulate(page: Page, site: str) -> None:
    page.goto(f"{site}/studies/photos/design/")
    follow(page.get_by_role("link", name="Simulate raters").first)
    expect(page.get_by_label("Raters:", exact=True)).to_have_value("30")
    look(page, "08-simulation")
    with keep_still(page):
        follow(page.get_by_role("button", name="Simulate"))
        expect(page.get_by_text("Simulating 30 raters.")).to_be_visible()
        look(page, "09-simulation-waits")

    # The page looks again by itself.
    expect(page.get_by_text("Every participation ended as the panel expects; wages are correct.")).to_be_visible(
        timeout=240_000
    )
    expect(page.get_by_text("This panel does not use completion codes.")).to_be_visible()
    expect(page.get_by_role("region", name="Table of simulated raters")).to_contain_text(re.compile(r"\d+ finished"))
    look(page, "10-simulated")
    follow(page.get_by_role("button", name="Create a study from the simulated judgments"))
    expect(page.get_by_text("All judgments in this study are simulated")).to_be_visible()


def run_metrics(page: Page) -> None:
    for box in page.get_by_role("group", name="Metrics").get_by_role("checkbox").all():
        box.set_checked(box.get_attribute("value") in ("bleu-1", "bleu-4", "rouge-l", "length"))
    follow(page.get_by_role("button", name="Start the run"))
    expect(page.locator("#run-title .outcome")).to_have_text("Finished", timeout=120_000)
    look(page, "11-run")


def see_the_table(page: Page) -> None:
    follow(page.get_by_role("link", name="Overview"))
    table = page.get_by_role("region", name="Table of results")
    for metric in ("bleu-1", "bleu-4", "rouge-l", "length"):
        expect(table).to_contain_text(metric)
    look(page, "12-table")


def compare_two(page: Page) -> None:
    follow(page.get_by_role("link", name="Explore"))
    page.get_by_text("Intervals and tests").click()
    page.get_by_label("Resamples").fill("200")
    differences = page.get_by_role("region", name="Table of differences")
    expect(differences).to_be_visible(timeout=120_000)
    expect(differences.get_by_role("row", name=re.compile("bleu-1.*rouge-l|rouge-l.*bleu-1")).first).to_be_visible()
    look(page, "13-explorer")


def report_and_share(page: Page) -> str:
    follow(page.get_by_role("link", name="Reports"))
    page.get_by_text("Choose protocol, metrics, intervals and tests").click()
    page.get_by_label("Resamples:").fill("200")
    follow(page.get_by_role("button", name="Freeze a report"))
    follow(page.get_by_role("link", name="Report 1"), timeout=120_000)
    with page.expect_download() as figure:
        page.get_by_role("link", name="PDF").first.click()
    assert figure.value.suggested_filename == "photos-simulation-report-1-forest.pdf"
    assert Path(figure.value.path()).read_bytes().startswith(b"%PDF-")
    with page.expect_download() as table:
        page.get_by_role("link", name="LaTeX").first.click()
    assert table.value.suggested_filename == "photos-simulation-report-1-table.tex"
    assert r"\toprule" in Path(table.value.path()).read_text()
    look(page, "14-report")
    follow(page.get_by_role("button", name="Create a share link"))
    return page.get_by_label(re.compile("^Anyone with this address")).input_value()

"""Tests of uploads in a browser: files that are dropped, columns assigned by hand, and an upload found again."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect

from jobs.worker.running import run_waiting_jobs
from studies.models import Item
from tests.e2e.jobs import background_worker, wait_for_job  # noqa: F401 - a fixture
from tests.e2e.looking import PHONE, check_sizes, follow, wait_for_first
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.studies import make_user
from tests.studies.uploads import make_pictures

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TABLE = "img;text;model;score\n" + "".join(
    f"{image};By {system} of {image}.;{system};1\n" for image in "ab" for system in ("m1", "m2", "m3")
)
_DROP = """([input, name, content]) => {
  const data = new DataTransfer();
  data.items.add(new File([content], name));
  input.closest('.field').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
}"""

# The pauses of a page take a tenth of their time.
_HASTEN = "const wait = setTimeout; window.setTimeout = (act, delay, ...rest) => wait(act, delay / 10, ...rest);"


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.ACCORDANCE_UPLOADS = tmp_path / "uploads"


def _drop(page: Page, label: str, name: str, content: str) -> None:
    """Drop a file on a field, as a mouse would."""
    page.evaluate_handle(_DROP, [page.get_by_label(label).element_handle(), name, content])


def test_dropped_table_of_systems_becomes_pairs(
    browser: Browser, live_server, transactional_db, worker, tmp_path
) -> None:
    make_user("owner")
    images = tmp_path / "images.zip"
    images.write_bytes(make_pictures("a.png", "b.png").read())
    page = browser.new_context(viewport=PHONE).new_page()
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/new/")
    page.get_by_label("Name").fill("mine")
    page.get_by_label("Title").fill("Pairs of mine")
    page.get_by_label("Start from").select_option("preset:coco-m1")

    _drop(page, "Items", "mine.csv", TABLE)
    # The browser itself shows the name of a single file.
    expect(page.get_by_text("Size: ")).to_be_visible()
    expect(page.get_by_text("mine.csv")).to_have_count(0)
    check_sizes(page, "new-study-dropped", DESKTOP, PHONE)
    follow(page.get_by_role("button", name="Check the files"))
    wait_for_job(page, has_scripts=True)
    expect(page.get_by_role("region", name="Errors")).to_contain_text("6 times, first in line 2")
    page.get_by_text("All 6").first.click()
    check_sizes(page, "upload-grouped-errors", DESKTOP, PHONE)

    page.goto(f"{live_server.url}/studies/new/")
    check_sizes(page, "new-study-unfinished", DESKTOP, PHONE)
    follow(page.get_by_role("link", name="Pairs of mine"))
    page.locator("#id_images").set_input_files(images)
    page.get_by_label("Pairs per image").fill("2")
    page.get_by_label("Seed").fill("7")
    page.locator("#use-category").select_option("score")
    follow(page.get_by_role("button", name="Apply these columns"))
    wait_for_job(page, has_scripts=True)
    expect(page.get_by_text("4 pairs of 3 systems (2 random pairs of systems of each image, seed 7)")).to_be_visible()
    expect(page.locator("#use-category")).to_have_value("category=score")
    expect(page.locator("#use-category")).to_be_visible()
    expect(page.locator("#use-role")).to_be_hidden()
    expect(page.get_by_label("Title")).to_be_hidden()
    rows = page.get_by_role("region", name="First rows").get_by_role("row")
    expect(rows).to_have_count(6)
    # One picture for each image, in its first row.
    expect(rows.get_by_role("img")).to_have_count(2)
    expect(rows.nth(4).get_by_role("img")).to_have_js_property("complete", True)
    expect(rows.nth(4).get_by_role("img")).not_to_have_js_property("naturalWidth", 0)
    check_sizes(page, "upload-columns", DESKTOP, PHONE)
    follow(page.get_by_role("button", name="Create the study"))
    wait_for_job(page, has_scripts=True)

    expect(page.get_by_text("Created a draft with 2 images and 4 tasks.")).to_be_visible()
    assert Item.objects.filter(other_candidate__isnull=False, category="1").count() == 4


def test_page_that_loads_slowly_is_loaded_again_once(browser: Browser, live_server, transactional_db) -> None:
    make_user("owner")
    page = browser.new_context().new_page()
    page.add_init_script(_HASTEN)
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/new/")
    page.get_by_label("Name").fill("mine")
    page.get_by_label("Title").fill("Pairs of mine")
    page.get_by_label("Start from").select_option("preset:coco-m1")
    _drop(page, "Items", "mine.csv", TABLE)
    follow(page.get_by_role("button", name="Check the files"))
    held: list[Route] = []
    page.route(page.url, lambda route: held.append(route))
    run_waiting_jobs(now=timezone.now)
    wait_for_first(page, held)

    # Longer than the pause between two requests, of which there would be several.
    page.wait_for_timeout(1000)

    assert len(held) == 1
    held[0].continue_()
    expect(page.get_by_role("region", name="Errors")).to_contain_text("6 times, first in line 2")

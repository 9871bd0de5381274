"""Tests of uploads in a browser: files that are dropped, columns assigned by hand, and an upload found again."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect

from jobs.worker.running import run_waiting_jobs
from studies.models import Item
from tests.e2e.jobs import background_worker, wait_for_job  # noqa: F401 - a fixture
from tests.e2e.looking import PHONE, check_sizes, expect_seen, follow, show_at, wait_for_first, wait_until
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.studies import make_user
from tests.studies.uploads import make_pictures

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = (DESKTOP, PHONE)
TABLE = "img;text;model;score\n" + "".join(
    f"{image};By {system} of {image}.;{system};1\n" for image in "ab" for system in ("m1", "m2", "m3")
)
_DROP = """([input, name, content]) => {
  const data = new DataTransfer();
  data.items.add(new File([content], name));
  input.closest('.field').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
}"""

# A page looks for the end of its job every 3 s; here every 0.3 s, since all pauses take a tenth of their time. Its
# looks are told to the console, also those that are then kept from asking.
_HASTEN = """const wait = setTimeout;
window.setTimeout = (act, delay, ...rest) => wait(act, delay / 10, ...rest);
addEventListener('htmx:beforeRequest', () => console.debug('look'));
"""


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
    check = page.get_by_role("button", name="Check the files")
    check_sizes(page, "new-study-dropped", *SIZES, seen=[page.get_by_text("Size: "), check])
    follow(check)
    wait_for_job(page, has_scripts=True)
    expect(page.get_by_role("region", name="Errors")).to_contain_text("6 times, first in line 2")
    lines = page.get_by_text("All 6").first
    lines.click()
    check_sizes(page, "upload-grouped-errors", *SIZES, seen=[lines])

    page.goto(f"{live_server.url}/studies/new/")
    unfinished = page.get_by_role("link", name="Pairs of mine")
    check_sizes(page, "new-study-unfinished", *SIZES, seen=[unfinished])
    follow(unfinished)
    page.locator("#id_images").set_input_files(images)
    page.get_by_label("Pairs per image").fill("2")
    page.get_by_label("Seed").fill("7")
    page.locator("#use-category").select_option("score")
    apply = page.get_by_role("button", name="Apply these columns")
    expect_seen(apply, sizes=SIZES)
    follow(apply)
    wait_for_job(page, has_scripts=True)
    pairs = page.get_by_text("4 pairs of 3 systems (2 random pairs of systems of each image, seed 7)")
    expect(page.locator("#use-category")).to_have_value("category=score")
    for _ in show_at(page, *SIZES):
        expect(pairs).to_be_visible()
        expect(page.locator("#use-category")).to_be_visible()
        expect(page.locator("#use-role")).to_be_hidden()
        expect(page.get_by_label("Title")).to_be_hidden()
    rows = page.get_by_role("region", name="First rows").get_by_role("row")
    expect(rows).to_have_count(6)
    # One picture for each image, in its first row.
    expect(rows.get_by_role("img")).to_have_count(2)
    expect(rows.nth(4).get_by_role("img")).to_have_js_property("complete", True)
    expect(rows.nth(4).get_by_role("img")).not_to_have_js_property("naturalWidth", 0)
    create = page.get_by_role("button", name="Create the study")
    check_sizes(page, "upload-columns", *SIZES, seen=[pairs, page.locator("#use-category"), create])
    follow(create)
    wait_for_job(page, has_scripts=True)

    expect_seen(page.get_by_text("Created a draft with 2 images and 4 tasks."), sizes=SIZES)
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

    # While it is loaded again the page still looks, every 0.3 s: 15 times in 4.5 s. Any look would load it once more,
    # except that Chromium loads a page again only once within 3 s.
    looks: list[str] = []
    page.on("console", lambda message: looks.append(message.text) if message.text == "look" else None)
    wait_until(page, lambda: len(looks) >= 15, "the page did not look 15 times more")

    assert len(held) == 1
    held[0].continue_()
    expect(page.get_by_role("region", name="Errors")).to_contain_text("6 times, first in line 2")

"""Tests of uploads in a browser that are cut: they go on where they stopped, and no byte is sent twice."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from challenges.models import Submission
from tests.challenges.challenges import write_results
from tests.challenges.people import make_arena, make_noon
from tests.e2e.challenges.line import Line, lay_line
from tests.e2e.jobs import background_worker  # noqa: F401 - a fixture
from tests.e2e.looking import PHONE, check_page, wait_for_first, wait_until
from tests.e2e.researchers.test_pages import DESKTOP, log_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Four parts, of which the second is cut.
N_BYTES, CUT_AFTER = 14 << 20, 6_000_000
OVERHEAD = 200_000
"""The most bytes of pages and headers that a test sends beside the file."""


@pytest.fixture
def arena(transactional_db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    arena = make_arena()
    make_noon(arena.phase)
    return arena


@pytest.fixture
def line(live_server):
    with lay_line(urlsplit(live_server.url).port) as line:
        yield line


@pytest.fixture
def site(live_server, line: Line) -> str:
    return live_server.url.replace(str(urlsplit(live_server.url).port), str(line.port))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Valid results that are large, since blanks follow them."""
    path = tmp_path / "captions_val_large_results.json"
    path.write_bytes(write_results().ljust(N_BYTES))
    return path


def open_phase(page: Page, live_server, site: str, arena) -> None:
    # Cookies are those of a host, whatever the port.
    log_in(page, live_server, arena.people["member"].username)
    page.goto(f"{site}/challenges/captions/phases/test/")


def send(page: Page, file: Path) -> None:
    page.get_by_label("File of results").set_input_files(file)
    page.get_by_role("button", name="Upload and score").click()


def come_again(page: Page, site: str, line: Line) -> None:
    """Open the page of the phase again, over a line that works again."""
    # Until it is left, the page before tries again: with the line repaired, it would send what the new one is to send.
    page.goto("about:blank")
    line.repair()
    page.goto(f"{site}/challenges/captions/phases/test/")


def find_new() -> Submission:
    return Submission.objects.latest("pk")


@pytest.mark.usefixtures("worker")
def test_an_upload_goes_on_by_itself(page: Page, live_server, site, line: Line, arena, file: Path) -> None:
    open_phase(page, live_server, site, arena)
    line.n_sent, line.cut_after = 0, CUT_AFTER
    send(page, file)

    # The page says so, and tries in vain until the line works again.
    expect(page.get_by_role("status").filter(has_text="Trying again")).to_be_visible()
    wait_until(page, lambda: line.n_refused > 1, "the page did not try again")
    line.repair()
    expect(page.get_by_role("heading", name=re.compile("captions_val_large_results.json Scored"))).to_be_visible()
    assert N_BYTES < line.n_sent < N_BYTES + OVERHEAD
    assert Path(find_new().file.path).read_bytes() == file.read_bytes()


def test_an_upload_goes_on_after_the_page_is_loaded_again(
    page: Page, live_server, site, line: Line, arena, file: Path
) -> None:
    open_phase(page, live_server, site, arena)
    line.n_sent, line.cut_after = 0, CUT_AFTER
    send(page, file)
    expect(page.get_by_role("status").filter(has_text="connection was lost")).to_be_visible()
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        check_page(page, "upload-cut")
    come_again(page, site, line)
    expect(page.get_by_role("heading", name="Unfinished uploads of your team")).to_be_visible()
    page.set_viewport_size(DESKTOP)
    check_page(page, "upload-unfinished")

    send(page, file)

    page.wait_for_url("**/submissions/*/")
    assert N_BYTES < line.n_sent < N_BYTES + OVERHEAD
    found = find_new()
    assert (found.state, Path(found.file.path).read_bytes()) == ("received", file.read_bytes())
    assert found.team.submissions.count() == 2


@pytest.mark.usefixtures("worker")
def test_an_upload_goes_on_when_the_server_says_that_a_part_was_cut(
    page: Page, live_server, site, arena, file: Path
) -> None:
    open_phase(page, live_server, site, arena)
    answers = [{"status": 400, "json": {"detail": "The body ended 30 bytes before its declared length."}}]
    held: list[Route] = []

    def answer(route: Route) -> None:
        if answers and route.request.method == "PATCH":
            route.fulfill(**answers.pop())
        elif held:
            route.fallback()
        else:
            held.append(route)

    page.route(re.compile("/submissions/[^/]+/$"), answer)

    send(page, file)

    # Until it knows how much has arrived, the page says that it tries again.
    wait_for_first(page, held)
    expect(page.get_by_role("status").filter(has_text="Trying again")).to_be_visible()
    held[0].continue_()
    expect(page.get_by_role("heading", name=re.compile("captions_val_large_results.json Scored"))).to_be_visible()
    assert not answers
    assert Path(find_new().file.path).read_bytes() == file.read_bytes()


def test_another_file_of_the_same_name_and_size_is_another_upload(
    page: Page, live_server, site, line: Line, arena, file: Path
) -> None:
    open_phase(page, live_server, site, arena)
    line.n_sent, line.cut_after = 0, CUT_AFTER
    send(page, file)
    expect(page.get_by_role("status").filter(has_text="connection was lost")).to_be_visible()
    come_again(page, site, line)
    file.write_bytes(write_results(_10="a brown dog").ljust(N_BYTES))

    send(page, file)

    page.wait_for_url("**/submissions/*/")
    assert sorted(arena.team.submissions.values_list("state", flat=True)) == ["received", "receiving", "scored"]
    assert Path(find_new().file.path).read_bytes() == file.read_bytes()


def test_what_is_refused_is_said(page: Page, live_server, site, arena, tmp_path: Path) -> None:
    open_phase(page, live_server, site, arena)
    wrong = tmp_path / "results.txt"
    wrong.write_text("[]")

    send(page, wrong)
    expect(page.get_by_role("alert")).to_contain_text("The name must end with .json or .zip.")
    type(arena.phase).objects.update(per_day=1)
    right = tmp_path / "captions_val_right_results.json"
    right.write_bytes(write_results())
    send(page, right)
    expect(page.get_by_role("alert")).to_contain_text("all its 1 submissions for today")
    page.context.clear_cookies()
    send(page, right)
    expect(page.get_by_role("alert")).to_contain_text("log in")

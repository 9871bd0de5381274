"""The steps of a rater in a browser."""

from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.looking import check_sizes, follow

DESKTOP: ViewportSize = {"width": 1280, "height": 800}


def open_link(page: Page, live_server, study) -> None:
    page.goto(f"{live_server.url}/r/{study.join_token}/")


def agree(page: Page) -> None:
    page.get_by_label("I have read this and agree to take part.").check()
    follow(page.get_by_role("button", name="Continue"))
    expect(page.get_by_role("heading", name="Instructions", exact=True)).to_be_visible()


def start(page: Page) -> None:
    follow(page.get_by_role("link", name="Start with the first task"))


def save(page: Page) -> None:
    follow(page.get_by_role("button", name="Save and continue"))


def expect_task(page: Page, number: int, total: int) -> None:
    """Wait until a task is shown, and its scripts listen to keys."""
    expect(page.get_by_text(f"Task {number} of {total}", exact=True)).to_be_visible()
    page.wait_for_load_state()


def expect_thanks(page: Page) -> None:
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


def count_drafts(page: Page) -> int:
    """Return how many tasks this browser keeps answers of that are not accepted yet."""
    return page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('accordance-draft')).length")


def join_and_start(page: Page, live_server, study, *, name: str, sizes: tuple[ViewportSize, ...]) -> None:
    """Go from the study link to the first task, looking at each page on the way at these sizes."""
    open_link(page, live_server, study)
    check_sizes(page, f"{name}-1-join", *sizes)
    agree(page)
    check_sizes(page, f"{name}-2-instructions", *sizes)
    start(page)

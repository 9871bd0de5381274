"""Goes through the steps of making a study in a browser."""

from playwright.sync_api import Page, expect

from tests.e2e.looking import follow

TITLES = {
    "files": "Files",
    "question": "Question",
    "raters": "Raters and pay",
    "checks": "Checks",
    "analysis": "Analysis plan",
    "launch": "Launch",
}


def open_step(page: Page, step: str) -> None:
    """Follow the link to a step in the list of steps."""
    follow(page.get_by_role("navigation", name="Steps of making this study").locator(f'a[href$="/{step}/"]'))
    expect_step(page, step)


def expect_step(page: Page, step: str) -> None:
    """Wait until a step is shown."""
    expect(page.get_by_role("heading", name=TITLES[step], exact=True, level=2)).to_be_visible()


def press(page: Page, name: str) -> None:
    """Press a button below the form of a step, such as `Next` or `Previous`."""
    follow(page.locator(".step-buttons").get_by_role("button", name=name))

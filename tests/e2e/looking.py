"""What is asked of every page that a browser test opens."""

import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
SMALL = {"width": 360, "height": 740}


def check_page(page: Page, name: str) -> None:
    """Fail if axe finds a violation or the page scrolls sideways.

    With ACCORDANCE_SHOTS=FOLDER in the environment a picture of the page is kept there, for people to look at.
    """
    folder = os.environ.get("ACCORDANCE_SHOTS")
    if folder:
        width = (page.viewport_size or {"width": 0})["width"]
        page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
    results = Axe().run(page)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert results.violations_count == 0, results.generate_report()
    assert overflow == 0, f"{name} is {overflow} pixels too wide"

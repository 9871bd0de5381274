"""The checks of every page that is opened in a browser test."""

import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
SMALL = {"width": 360, "height": 740}
_FOCUSED = """() => {
  const style = getComputedStyle(document.activeElement);
  return [document.activeElement.dataset.stop, style.outlineStyle !== 'none' || style.boxShadow !== 'none'];
}"""


def follow(control: Locator) -> None:
    """Click a link or a button, and return when the page that it leads to is loaded.

    A click returns while the browser may still show the page before it. What a test reads next, without waiting for
    something that only the new page has, is then read from a document that goes away.
    """
    with control.page.expect_navigation():
        control.click()


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


def tab_through(page: Page) -> None:
    """Fail if the keyboard does not reach every control that can be seen, or if what has the focus does not show it."""
    n = page.evaluate(
        """() => {
          const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
          const seen = [...document.querySelectorAll(all)].filter(
            each => !each.disabled && each.type !== 'hidden' && each.checkVisibility());
          seen.forEach((each, number) => { each.dataset.stop = number; });
          seen[0].focus();
          return seen.length;
        }"""
    )
    stops = [page.evaluate(_FOCUSED)]
    for _ in range(n - 1):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(_FOCUSED))

    assert {stop for stop, _ in stops} == {str(number) for number in range(n)}
    assert [stop for stop, is_marked in stops if not is_marked] == []

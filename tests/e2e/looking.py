"""The checks of every page that is opened in a browser test."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

PATIENCE: Final = 60_000
"""Milliseconds that a page may take where other work shares the cores."""
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 640}
SMALL: ViewportSize = {"width": 360, "height": 740}
_FOCUSED = """() => {
  const style = getComputedStyle(document.activeElement);
  return [document.activeElement.dataset.stop, style.outlineStyle !== 'none' || style.boxShadow !== 'none'];
}"""

# As far around the window as plots.js looks.
_ARE_DRAWN = """() => [...document.querySelectorAll('figure[data-plot]:not(.is-live, .plot-failed)')].every(figure => {
  const { top, bottom } = figure.getBoundingClientRect();
  return bottom < -200 || top > innerHeight + 200;
})"""

# Only violations come back: to write down and read all that passes would take more than a third of the time.
_FIND_VIOLATIONS = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))"


def follow(control: Locator, *, timeout: float = PATIENCE) -> None:
    """Click a link or a button, and return when the page that it leads to is loaded.

    A click returns while the browser may still show the page before it. What a test reads next, without waiting for
    something that only the new page has, is then read from a document that goes away.
    """
    # Before the control is there, a page that looks again by itself may be loaded anew: that is not what it leads to.
    control.wait_for(timeout=timeout)
    with control.page.expect_navigation(timeout=timeout):
        control.click(timeout=timeout)


def follow_by_key(page: Page, key: str = "Enter") -> None:
    """Press a key, and return when the page that it leads to is loaded: as `follow`, for what has the focus."""
    with page.expect_navigation(timeout=PATIENCE):
        page.keyboard.press(key)


def wait_until(page: Page, is_met: Callable[[], object], what: str) -> None:
    """Wait for what the page, or a thread beside the test, does; `what` says what did not happen if it does not."""
    ends_at = time.monotonic() + PATIENCE / 1000
    while not (met := is_met()) and time.monotonic() < ends_at:
        # Handlers of the page run meanwhile.
        page.wait_for_timeout(50)
    assert met, f"{page.url}: {what} within {PATIENCE / 1000:.0f} s"


def wait_for_first(page: Page, held: Sequence[object]) -> None:
    """Wait until a list that the handler of a route fills has an element."""
    wait_until(page, lambda: held, "no request was held")


@contextmanager
def keep_still(page: Page) -> Iterator[list[Route]]:
    """Hold what a page asks for by itself: it is neither changed nor loaded again before the end of the block.

    Yields what is held. Where the page asked before the block, that has been answered once something is held.
    """
    held: list[Route] = []
    is_over = False

    def hold(route: Route) -> None:
        if "hx-request" in route.request.headers and not is_over:
            held.append(route)
        else:
            route.fallback()

    page.route("**/*", hold)
    try:
        yield held
    finally:
        is_over = True
        for route in held:
            route.continue_()
        page.unroute("**/*", hold)


def point_at(mark: Locator) -> None:
    """Move the mouse to a mark of a plot, once all plots around it are drawn: each moves what is below it."""
    mark.scroll_into_view_if_needed()
    mark.page.wait_for_function(_ARE_DRAWN)
    mark.hover()


def skip_to_content(page: Page) -> None:
    """Follow the link that skips the top of a page by keyboard.

    The browser moves the focus when it next draws the page, so a key that is pressed at once may start from the top.
    """
    page.keyboard.press("Tab")
    expect(page.locator("a.skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("a.skip")).not_to_be_focused()


def check_page(page: Page, name: str) -> None:
    """Fail if axe finds a violation or the page scrolls sideways.

    With ACCORDANCE_SHOTS=FOLDER in the environment a picture of the page is kept there, for people to look at.
    """
    # Not wait_for_load_state, which waits forever after a click on a download.
    page.evaluate(
        "document.readyState === 'complete' || new Promise((resolve) => addEventListener('load', () => resolve(true)))"
    )
    folder = os.environ.get("ACCORDANCE_SHOTS")
    if folder:
        width = (page.viewport_size or {"width": 0})["width"]
        page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
    results = _run_axe(page)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    look = f"{name} at {page.viewport_size}"
    assert results.violations_count == 0, f"{look}: {results.generate_report()}"
    assert overflow == 0, f"{look} is {overflow} pixels too wide"


def check_sizes(page: Page, name: str, *sizes: ViewportSize) -> None:
    """Check one page at each of these sizes, and leave it at the last: to load it again would cost more."""
    for size in sizes:
        page.set_viewport_size(size)
        check_page(page, name)


def _run_axe(page: Page) -> AxeResults:
    # A document that is looked at again has it already.
    if not page.evaluate("typeof window.axe?.run === 'function'"):
        page.evaluate(AXE_SCRIPT)
    return AxeResults(page.evaluate(_FIND_VIOLATIONS))


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

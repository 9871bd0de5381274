"""The checks of every page that is opened in a browser test."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

PATIENCE: Final = 60_000
"""Milliseconds that a page may take where other work shares the cores."""
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 640}
SMALL: ViewportSize = {"width": 360, "height": 740}
_SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
# What has the focus is asked about where it gets it: to ask after each key took as long as the keys.
_WATCH_FOCUS = """() => {
  const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  const seen = [...document.querySelectorAll(all)].filter(
    each => !each.disabled && each.type !== 'hidden' && each.checkVisibility());
  if (!window.stops) {
    addEventListener('focusin', ({ target }) => {
      const style = getComputedStyle(target);
      window.stops.push([target.dataset.stop, style.outlineStyle !== 'none' || style.boxShadow !== 'none']);
    });
  }
  seen.forEach((each, number) => { each.dataset.stop = number; });
  document.activeElement.blur();
  window.stops = [];
  seen[0].focus();
  return seen.length;
}"""

# As far around the window as plots.js looks.
_ARE_DRAWN = """() => [...document.querySelectorAll('figure[data-plot]:not(.is-live, .plot-failed)')].every(figure => {
  const { top, bottom } = figure.getBoundingClientRect();
  return bottom < -200 || top > innerHeight + 200;
})"""

# Only violations come back: to write down and read all that passes would take more than a third of the time. For the
# same reason they are described, with selectors of what is wrong, only where there are any.
_LOOK = """async () => {
  const options = { resultTypes: ['violations'] };
  let { violations } = await axe.run({ ...options, selectors: false });
  if (violations.length) ({ violations } = await axe.run(options));
  const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  return { violations, overflow };
}"""
# Not wait_for_load_state, which waits forever after a click on a download. Says whether axe is there: a document that
# is looked at again has it already.
_WAIT = """async () => {
  if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve));
  return typeof window.axe?.run === 'function';
}"""


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
    has_axe = page.evaluate(_WAIT)
    folder = os.environ.get("ACCORDANCE_SHOTS")
    if folder:
        width = (page.viewport_size or {"width": 0})["width"]
        page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
    if not has_axe:
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(_LOOK)

    look = f"{name} at {page.viewport_size}"
    results = AxeResults(found)
    assert results.violations_count == 0, f"{look}: {results.generate_report()}"
    assert found["overflow"] == 0, f"{look} is {found['overflow']} pixels too wide"


def show_at(page: Page, *sizes: ViewportSize) -> Iterator[ViewportSize]:
    """Show one page at each of these sizes, and leave it at the last: to make and load it for each would cost more.

    Only a page with plots is loaded again, since they are drawn once, for the size at which they come into view. What
    a caller prepares, such as opened details, is lost by that: it belongs inside the loop.
    """
    for size in sizes:
        if page.viewport_size != size:
            page.set_viewport_size(size)
            if page.locator("figure[data-plot]").count():
                page.reload()
        yield size


def show_in_schemes(page: Page, *sizes: ViewportSize) -> Iterator[str]:
    """Show one page in light and in dark, at each of these sizes, and yield the name of the scheme."""
    for scheme in _SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for _ in show_at(page, *sizes):
            yield scheme


def check_sizes(page: Page, name: str, *sizes: ViewportSize, seen: Sequence[Locator] = ()) -> None:
    """Check one page at each of these sizes, and that these parts of it are seen there, as `expect_seen` does."""
    for _ in show_at(page, *sizes):
        check_page(page, name)
        _expect_uncovered(seen)


def expect_seen(*parts: Locator, sizes: Sequence[ViewportSize]) -> None:
    """Fail unless these parts of one page are visible at each of these sizes, and a click would reach each of them."""
    for _ in show_at(parts[0].page, *sizes):
        _expect_uncovered(parts)


def _expect_uncovered(parts: Sequence[Locator]) -> None:
    for part in parts:
        # Scrolls to it and finds out what is on top, but does not click.
        part.click(trial=True, timeout=PATIENCE)


def tab_through(page: Page) -> None:
    """Fail if the keyboard does not reach every control that can be seen, or if what has the focus does not show it."""
    n = page.evaluate(_WATCH_FOCUS)
    for _ in range(n - 1):
        page.keyboard.press("Tab")
    stops = page.evaluate("window.stops")

    look = f"{page.url} at {page.viewport_size}"
    assert {stop for stop, _ in stops} == {str(number) for number in range(n)}, look
    assert [stop for stop, is_marked in stops if not is_marked] == [], look

"""Measures of a page in a browser: badges that are cut, controls beside the window or too small, and text cut off."""

from typing import Any, Final

from playwright.sync_api import Page

LEAST: Final = 24
"""Width and height in pixels of what can be pointed at, as in WCAG 2.2, criterion 2.5.8."""
_SEEN = """const seen = (selector) => [...document.querySelectorAll(selector)].filter((each) =>
  each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length &&
  !each.closest('.unseen, .skip'));
const scroller = (each) => {
  for (let up = each.parentElement; up && up !== document.body; up = up.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(up).overflowX)) return up;
  return null;
};
const say = (each) => {
  const text = (each.textContent || each.name || '').trim().slice(0, 40);
  return `${each.tagName.toLowerCase()} ${each.className} "${text}"`;
};
"""
# A badge may be beside what is seen of a table that scrolls, but not partly.
_CUT_BADGES = """() => { %s
  return seen('.state, .outcome').filter((badge) => {
    const { left, right } = badge.getBoundingClientRect();
    const edges = [document.documentElement, scroller(badge)].filter(Boolean).flatMap((box) => {
      const start = box === document.documentElement ? 0 : box.getBoundingClientRect().left;
      return [start, start + box.clientWidth + 2];
    });
    let cell = badge.parentElement;
    while (getComputedStyle(cell).display === 'inline') cell = cell.parentElement;
    const end = cell.getBoundingClientRect().right + 0.5;
    const isCutWithin = badge.scrollWidth > badge.clientWidth + 1;
    return isCutWithin || right > end || edges.some((edge) => left < edge && edge < right);
  }).map(say);
}"""
_BESIDE = """() => { %s
  return seen('a[href], button, input, select, textarea, summary').filter((each) => {
    const { left, right } = each.getBoundingClientRect();
    return !scroller(each) && (left < -0.5 || right > document.documentElement.clientWidth + 0.5);
  }).map(say);
}"""
# A link in a sentence may be narrow. What is around a button may be larger than what is drawn of it.
_SMALL = """(least) => { %s
  const measure = (each) => {
    const label = ['checkbox', 'radio'].includes(each.type) && each.labels[0];
    const around = getComputedStyle(each, '::after');
    if (around.position === 'absolute') return { width: parseFloat(around.width), height: parseFloat(around.height) };
    return (label || each).getBoundingClientRect();
  };
  const isInText = (each) => getComputedStyle(each).display === 'inline' &&
    [...each.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  return seen('a[href], button, input, select, textarea, summary').filter((each) => {
    const { width, height } = measure(each);
    return height < least - 0.5 || (width < least - 0.5 && !isInText(each));
  }).map((each) => `${say(each)}: ${JSON.stringify(measure(each))}`);
}"""
# A field scrolls within itself.
_CUT_TEXTS = """() => { %s
  return seen('body *:not(input, progress, svg, svg *)').filter((each) => {
    const style = getComputedStyle(each);
    const isCut = ['hidden', 'clip'].includes(style.overflowX) && style.display !== 'inline';
    return isCut && each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1;
  }).map(say);
}"""


def find_cut_badges(page: Page) -> list[str]:
    """Return the badges of a state that are cut at the edge of the window, of their table or of their cell."""
    return _find(page, _CUT_BADGES)


def check_fit(page: Page) -> None:
    """Fail if a badge or a text is cut, or if a control is beside the window or too small to point at."""
    found = {
        "badges cut": find_cut_badges(page),
        "texts cut": _find(page, _CUT_TEXTS),
        "controls beside the window": _find(page, _BESIDE),
        "controls too small": _find(page, _SMALL, LEAST),
    }
    faults = {what: names for what, names in found.items() if names}
    assert faults == {}, f"{page.url}, {page.viewport_size}: {faults}"


def _find(page: Page, script: str, argument: Any = None) -> list[str]:
    found: list[str] = page.evaluate(script % _SEEN, argument)
    return found

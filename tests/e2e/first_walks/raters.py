"""Raters that come by the link of a study of ratings and answer all its tasks by a program."""

import html
import re
from collections.abc import Mapping

import numpy as np
from playwright.sync_api import Page, expect

from tests.e2e.looking import follow

_FORM = re.compile(r'<form class="task" method="post" action="(?P<action>[^"]+)"')
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(?P<token>[^"]+)"')
_CHOICE = re.compile(r'type="radio" name="(?P<name>[^"]+)" value="(?P<value>[^"]+)"')
_CAPTION = re.compile(r'<blockquote class="caption[^"]*"[^>]*>(?P<text>.*?)</blockquote>', re.DOTALL)
_NOISE = 0.15


def join(page: Page, link: str) -> None:
    """Agree to take part, and open the first task."""
    page.goto(link)
    page.get_by_role("checkbox").check()
    follow(page.get_by_role("button", name="Continue"))
    follow(page.get_by_role("link", name="Start with the first task"))
    expect(page.locator("form[data-task]")).to_be_visible()


def answer_all(page: Page, *, fits: Mapping[str, float], rng: np.random.Generator) -> int:
    """Answer from the open task to the last by the forms of the pages, and return how many there were.

    Args:
        page: The rater's browser, whose cookies are used.
        fits: How well each caption fits, 0 to 1; a rater errs by a normal deviation of 0.15.
        rng: Draws the errors.

    Raises:
        AssertionError: The tasks do not end with the page that thanks, or a task has an unknown caption.
    """
    root = page.evaluate("location.origin")
    shown, n = page.request.get(page.url).text(), 0
    while form := _FORM.search(shown):
        names = [match["name"] for match in _CHOICE.finditer(shown)]
        values = sorted(float(match["value"]) for match in _CHOICE.finditer(shown))
        caption, token = _CAPTION.search(shown), _TOKEN.search(shown, form.start())
        assert caption, shown
        assert token, shown
        assert len(set(names)) == 1, shown
        perceived = fits[html.unescape(caption["text"].strip())] + rng.normal(0.0, _NOISE)
        place = int(np.clip(perceived * len(values), 0, len(values) - 1))
        answer = {"csrfmiddlewaretoken": token["token"], names[0]: str(values[place])}
        shown = page.request.post(root + form["action"], form=answer).text()
        n += 1
    assert "Thank you" in shown, shown
    return n

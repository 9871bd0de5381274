"""Renders researchers' Markdown for raters as HTML with only text, lists and links."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

_SCHEMES: Final = ("http", "https", "mailto")
# Images would load from other sites; indented plain text is not meant as code.
_LEFT_OUT: Final = ("image", "code", "html_block", "html_inline")
_TOP, _LOWEST = 2, 4


@lru_cache(maxsize=256)
def render_markdown(text: str) -> str:
    """Return a text of any author as safe HTML; plain text is rendered as paragraphs and line breaks.

    CommonMark without HTML, images and indented code. Links may only be http, https and mailto, open in a new window
    and send no referrer. Headings are below the page's own heading, and no level is skipped. Texts of
    designs are rendered for each rater, so that each process keeps the last ones.
    """
    return str(_make_renderer().render(text))


@cache
def _make_renderer() -> Any:
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False, "breaks": True, "xhtmlOut": False}).disable(list(_LEFT_OUT))
    renderer.validateLink = _may_link  # type: ignore[method-assign]
    renderer.core.ruler.push("house", _keep_house)
    return renderer


def _may_link(address: str) -> bool:
    try:
        return urlsplit(address.strip()).scheme.lower() in _SCHEMES
    except ValueError:
        return False


def _keep_house(state: Any) -> None:
    """Set the levels of headings, and how links open."""
    level = _TOP - 1
    for token in state.tokens:
        if token.type == "heading_open":
            # At most one level below the previous heading.
            level = min(int(token.tag[1:]) + 1, level + 1, _LOWEST)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{level}"
        _open_apart(token.children or ())


def _open_apart(tokens: Sequence[Any]) -> None:
    for token in tokens:
        if token.type == "link_open":
            token.attrSet("rel", "nofollow noopener noreferrer")
            token.attrSet("target", "_blank")

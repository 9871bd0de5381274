"""The pages of the folder `docs`, rendered as HTML with links among them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import normpath
from typing import Any, Final

from django.conf import settings
from django.urls import reverse

PICTURE_TYPES: Final = {"svg": "image/svg+xml", "png": "image/png", "webp": "image/webp"}
_FOLDERS: Final = ("figures", "images")
_COMMENT: Final = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_LINK: Final = re.compile(r"(?P<name>[\w-]+)\.md(?P<anchor>#.*)?")
_TABLE_HEAD: Final = re.compile(r"\| (?P<heading>[^|\[]+) \| \|")
_TABLE_ROW: Final = re.compile(r"\| \[docs/(?P<name>[\w-]+)\.md\]\([^)]*\) \| (?P<about>.*) \|")
_NOT_IN_ANCHOR: Final = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class DocumentationPage:
    """A page: its name without suffix, its title, and its HTML."""

    name: str
    title: str
    html: str


@cache
def list_pages() -> tuple[tuple[str, str], ...]:
    """Return name and title of every page, by title; empty where the folder is not installed."""
    found = ((path.stem, _read_title(path)) for path in _folder().glob("*.md"))
    return tuple(sorted(found, key=lambda page: page[1].lower()))


@dataclass(frozen=True, slots=True)
class Entry:
    """A page in a table of contents: its name, its title, and what it is about, without a full stop."""

    name: str
    title: str
    about: str = ""


@cache
def list_groups() -> tuple[tuple[str, tuple[Entry, ...]], ...]:
    """Return the headings and pages of the tables of contents in README.md, then the pages in none of them."""
    titles = dict(list_pages())
    readme = _folder().parent / "README.md"
    groups: dict[str, list[Entry]] = {}
    heading = ""
    for line in readme.read_text(encoding="utf-8").splitlines() if readme.is_file() else ():
        if head := _TABLE_HEAD.fullmatch(line):
            heading = head["heading"].capitalize()
        elif (row := _TABLE_ROW.fullmatch(line)) and row["name"] in titles:
            entry = Entry(row["name"], titles.pop(row["name"]), row["about"].replace("`", ""))
            groups.setdefault(heading, []).append(entry)
    if titles:
        groups["Further pages" if groups else "All pages"] = [Entry(name, title) for name, title in titles.items()]
    return tuple((heading, tuple(entries)) for heading, entries in groups.items())


@cache
def render_page(name: str) -> DocumentationPage | None:
    """Return a page; None if there is none with this name."""
    if name not in dict(list_pages()):
        return None
    path = _folder() / f"{name}.md"
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    return DocumentationPage(name, _read_title(path), str(_make_renderer().render(text)))


def find_picture(folder: str, name: str) -> Path | None:
    """Return the file of a picture that pages show; None if there is none with this name."""
    pictures = {path.name: path for path in (_folder() / folder).glob("*")} if folder in _FOLDERS else {}
    path = pictures.get(name)
    return path if path and path.suffix.removeprefix(".") in PICTURE_TYPES else None


def _folder() -> Path:
    base = Path(settings.BASE_DIR)
    # A package keeps it in one of its folders.
    return base / "docs" if (base / "manage.py").is_file() else base / "accordance" / "docs"


def _read_title(path: Path) -> str:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("# ").replace("`", "").strip()


@cache
def _make_renderer() -> Any:
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    renderer.core.ruler.push("house", _adapt)
    renderer.add_render_rule("table_open", _open_table)
    renderer.add_render_rule("table_close", _close_table)
    return renderer


def _adapt(state: Any) -> None:
    """Set anchors and links, and replace styles, which the content security policy forbids, by classes."""
    for place, token in enumerate(state.tokens):
        if token.type == "heading_open":
            token.attrSet("id", _make_anchor(state.tokens[place + 1].content))
        if token.type in ("th_open", "td_open") and "right" in str(token.attrs.pop("style", "")):
            token.attrSet("class", "number")
        if token.type == "th_open" and not state.tokens[place + 1].content:
            # A corner without words is no heading.
            token.tag = state.tokens[place + 2].tag = "td"
        _link(token.children or ())


def _open_table(_renderer: Any, tokens: Sequence[Any], place: int, *_: Any) -> str:
    number = sum(token.type == "table_open" for token in tokens[: place + 1])
    return f'<div class="scroll" role="region" aria-label="Table {number}" tabindex="0"><table class="narrow">\n'


def _close_table(*_: Any) -> str:
    return "</table></div>\n"


def _link(tokens: Sequence[Any]) -> None:
    for token in tokens:
        if token.type == "image":
            folder, _, name = normpath(str(token.attrs["src"])).partition("/")
            known = find_picture(folder, name)
            token.attrSet("src", reverse("studies:docs_picture", args=[folder, name]) if known else "")
            token.attrSet("loading", "lazy")
        if token.type == "link_open":
            _set_address(token)


def _set_address(token: Any) -> None:
    """Lead links to other pages there; one to a file of the repository leads nowhere."""
    address = str(token.attrs["href"])
    found = _LINK.fullmatch(address)
    if found and found["name"] in dict(list_pages()):
        token.attrSet("href", reverse("studies:docs_page", args=[found["name"]]) + (found["anchor"] or ""))
    elif not address.startswith(("http://", "https://", "#")):
        del token.attrs["href"]


def _make_anchor(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return _NOT_IN_ANCHOR.sub("", heading.lower().replace("`", "")).replace(" ", "-")

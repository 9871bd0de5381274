"""A headless browser based on Django's test client: stores cookies, follows redirects, reads and submits forms."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.test import Client

HOST: Final = "127.0.0.1"
_FORM: Final = "application/x-www-form-urlencoded"


@dataclass(slots=True)
class Form:
    """A form: its address, its hidden fields, and the attributes of its other controls."""

    action: str
    hidden: dict[str, str] = field(default_factory=dict)
    controls: dict[str, list[dict[str, str]]] = field(default_factory=dict)


@dataclass(slots=True)
class Page:
    """A loaded page: address, status, heading, completion code, links by text, and forms."""

    url: str
    status: int
    heading: str = ""
    code: str = ""
    links: dict[str, str] = field(default_factory=dict)
    forms: list[Form] = field(default_factory=list)

    def get_form(self, path_end: str) -> Form | None:
        """Return the form whose action, without its query, ends with `path_end`; None if there is none."""
        return next((form for form in self.forms if urlsplit(form.action).path.endswith(path_end)), None)


class Browser:
    """A browser for the pages served by this process."""

    def __init__(self) -> None:
        self._client = Client(enforce_csrf_checks=True, raise_request_exception=False, SERVER_NAME=HOST)

    def open(self, url: str) -> Page:
        return _show(self._client.get(url, follow=True))

    def send(self, form: Form, fields: dict[str, str]) -> Page:
        """Submit a form with its hidden fields and these fields."""
        body = urlencode({**form.hidden, **fields})
        return _show(self._client.post(form.action, body, content_type=_FORM, follow=True))

    def read_cookie(self, start: str) -> str:
        """Return the value of the cookie whose name starts with `start`; empty if there is none."""
        return next((cookie.value for name, cookie in self._client.cookies.items() if name.startswith(start)), "")


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self._inside: str = ""
        self._link: str = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.page.forms.append(Form(given.get("action", self.page.url)))
        elif tag in ("input", "textarea") and "name" in given and self.page.forms:
            self._add_control(given)
        elif tag == "a":
            self._inside, self._link = "a", given.get("href", "")
        elif tag == "h1" or (tag == "strong" and given.get("class") == "code"):
            self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "a" and data.strip():
            self.page.links[data.strip()] = self._link
        elif self._inside == "h1":
            self.page.heading += data.strip()
        elif self._inside == "strong":
            self.page.code += data.strip()

    def _add_control(self, given: dict[str, str]) -> None:
        form = self.page.forms[-1]
        if given.get("type") == "hidden":
            form.hidden[given["name"]] = given.get("value", "")
        else:
            form.controls.setdefault(given["name"], []).append(given)


def read_page(text: str, *, url: str, status: int) -> Page:
    """Parse a page in HTML."""
    page = Page(url=url, status=status)
    _Reader(page).feed(text)
    return page


def _show(response: Any) -> Page:
    asked = response.request
    url = f"{asked['PATH_INFO']}?{asked['QUERY_STRING']}".removesuffix("?")
    return read_page(response.content.decode(errors="replace"), url=url, status=response.status_code)

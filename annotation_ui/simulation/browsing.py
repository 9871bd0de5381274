"""A browser without a screen: keeps cookies, follows redirects, reads links and forms, and sends forms as they are."""

import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from typing import Final

_SECONDS: Final = 60


@dataclass(slots=True)
class Form:
    """One form of a page: where it goes, and the fields that are hidden in it."""

    action: str
    method: str
    hidden: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Page:
    """What a browser shows: address, status, heading, completion code, links by their text, and forms."""

    url: str
    status: int
    heading: str = ""
    code: str = ""
    links: dict[str, str] = field(default_factory=dict)
    forms: list[Form] = field(default_factory=list)

    def get_form(self, path_end: str) -> Form | None:
        """Return the form whose action ends so, without its query; None if there is none."""
        return next((form for form in self.forms if urllib.parse.urlsplit(form.action).path.endswith(path_end)), None)


class Browser:
    """One person's browser."""

    def __init__(self) -> None:
        self._cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))

    def open(self, url: str) -> Page:
        return self._send(urllib.request.Request(url))  # noqa: S310 - the address of our own server

    def send(self, page: Page, form: Form, fields: dict[str, str]) -> Page:
        """Send a form of a page, with what is hidden in it and what the person fills in."""
        url = urllib.parse.urljoin(page.url, form.action)
        body = urllib.parse.urlencode({**form.hidden, **fields}).encode()
        request = urllib.request.Request(url, data=body, method="POST")  # noqa: S310
        request.add_header("Referer", page.url)
        return self._send(request)

    def read_cookie(self, start: str) -> str:
        """Return the value of the cookie whose name starts so; empty if there is none."""
        return next((cookie.value or "" for cookie in self._cookies if cookie.name.startswith(start)), "")

    def _send(self, request: urllib.request.Request) -> Page:
        try:
            with self._opener.open(request, timeout=_SECONDS) as response:
                return _read_page(response.url, response.status, response.read())
        except urllib.error.HTTPError as error:
            return _read_page(error.url, error.code, error.read())


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self._inside: str = ""
        self._link: str = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.page.forms.append(Form(given.get("action", self.page.url), given.get("method", "get")))
        elif tag == "input" and given.get("type") == "hidden" and self.page.forms:
            self.page.forms[-1].hidden[given["name"]] = given.get("value", "")
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


def _read_page(url: str, status: int, body: bytes) -> Page:
    page = Page(url=url, status=status)
    _Reader(page).feed(body.decode(errors="replace"))
    return page

"""An HTTP client for attacks, with cookies, hidden fields of forms, and limits of time and number."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import urljoin

import requests

SECONDS: Final = 20.0
"""For which one request may take; a test fails where the site hangs."""
MOST: Final = 500
"""Requests of one client; an attack that needs more would make the tests slow."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page: where it goes, how, and what it holds before anybody has typed.

    Attributes:
        action: The whole address.
        method: `get` or `post`.
        fields: Name -> value of hidden and filled fields; of radio buttons and boxes only those that are checked.
        choices: Name -> all values that radio buttons and boxes of that name offer.
    """

    action: str
    method: str
    fields: dict[str, str]
    choices: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Page:
    """What the site answered; `address` is where redirects led to, if they were followed."""

    status: int
    address: str
    text: str
    headers: Mapping[str, str]
    forms: list[Form] = field(default_factory=list)

    @property
    def location(self) -> str:
        """The whole address of a redirect; empty if the answer is none."""
        return urljoin(self.address, self.headers["Location"]) if "Location" in self.headers else ""

    def find_form(self, *, having: str = "", leading_to: str = "") -> Form:
        """Return the first form with a field of that name that leads to an address with that text in it."""
        for form in self.forms:
            if (not having or having in form.fields or having in form.choices) and leading_to in form.action:
                return form
        raise AssertionError(f"no form with {having!r} to {leading_to!r} on {self.address} (status {self.status})")


class Client:
    """One browser, with cookies of its own.

    Args:
        site: The address of the site.
        address: From where it comes, as the proxy before the site says; a site of `serving` believes it.
    """

    def __init__(self, site: str, *, address: str = "127.0.0.1") -> None:
        self.site = site
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers["X-Forwarded-For"] = address
        self.n_left = MOST

    def get(self, path: str, *, follow: bool = False, **options: Any) -> Page:
        """Open a page."""
        return self.send("GET", path, follow=follow, **options)

    def post(self, path: str, data: Mapping[str, Any], *, follow: bool = False, **options: Any) -> Page:
        """Send a form with the token against forgery that the browser's cookie holds, if it has one.

        `files` of `options` are `{name: (filename, bytes)}`.
        """
        token = self.session.cookies.get("csrftoken")
        sent = {"csrfmiddlewaretoken": token, **data} if token else dict(data)
        return self.send("POST", path, follow=follow, data=sent, **options)

    def submit(self, form: Form, *, follow: bool = True, **changes: str) -> Page:
        """Send a form of a page as it stands, but for what is changed."""
        fields = form.fields | changes
        if form.method == "get":
            return self.get(form.action, follow=follow, params=fields)
        return self.send("POST", form.action, follow=follow, data=fields)

    def log_in(self, username: str, password: str) -> Page:
        """Log a researcher in, and return the page after it."""
        form = self.get("/login/").find_form(having="csrfmiddlewaretoken", leading_to="/login/")
        return self.submit(form, username=username, password=password)

    def send(self, method: str, path: str, *, follow: bool = False, **options: Any) -> Page:
        """Send any request."""
        self.n_left -= 1
        assert self.n_left >= 0, f"more than {MOST} requests of one client"
        url = urljoin(self.site, path)
        with self.session.request(method, url, allow_redirects=follow, timeout=SECONDS, **options) as answer:
            is_page = answer.headers.get("Content-Type", "").startswith("text/html")
            text = answer.text
            return Page(answer.status_code, answer.url, text, answer.headers, _read_forms(text, answer.url, is_page))

    def close(self) -> None:
        """Close the connections."""
        self.session.close()


def _read_forms(text: str, address: str, is_page: bool) -> list[Form]:
    if not is_page:
        return []
    reader = _FormReader(address)
    reader.feed(text)
    return reader.forms


class _FormReader(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.is_inside = False
        self.textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = urljoin(self.address, given.get("action", ""))
            self.forms.append(Form(action, given.get("method", "get").lower(), {}, {}))
            self.is_inside = True
        if not self.is_inside or not given.get("name"):
            return
        form, name = self.forms[-1], given["name"]
        if tag == "input" and given.get("type") in ("radio", "checkbox"):
            form.choices.setdefault(name, []).append(given.get("value", "on"))
            if "checked" in given:
                form.fields[name] = given.get("value", "on")
        elif tag == "input" and given.get("type") not in ("submit", "button", "file"):
            form.fields[name] = given.get("value", "")
        elif tag == "textarea":
            form.fields[name] = ""
            self.textarea = name

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.forms[-1].fields[self.textarea] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.is_inside = False
        if tag == "textarea":
            self.textarea = ""

"""Middleware that leads from an address that only takes forms to the page that has the form."""

from collections.abc import Callable, Iterator
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import Resolver404, get_script_prefix, resolve

_APART: Final = ("/api/", "/r/")
"""The API answers programs, and raters' pages explain what happened."""


class PostOnlyMiddleware:
    """Redirects a GET of an address that only accepts POST, as after a log-in, a reload or a bookmark.

    The page with the form is at the nearest address above it. If that one too only accepts forms, the browser is
    redirected again, each time to a shorter address.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or request.method not in ("GET", "HEAD"):
            return response
        if request.path_info.startswith(_APART):
            return response
        page = next(_list_pages_above(request.path_info), None)
        return HttpResponseRedirect(f"{get_script_prefix().rstrip('/')}{page}") if page else response


def _list_pages_above(path: str) -> Iterator[str]:
    """Return the addresses above this one that exist, the nearest first."""
    parts = path.strip("/").split("/")
    for length in range(len(parts) - 1, -1, -1):
        above = "/" + "".join(f"{part}/" for part in parts[:length])
        try:
            resolve(above)
        except Resolver404:
            continue
        yield above

"""The error for a shared service that cannot be reached, and the response to requests that need it."""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from jobs.errors import TryAgain

SECONDS: Final = 30
"""When a request or a job may be tried again."""
_LOG: Final = logging.getLogger(__name__)


class ServiceUnreachable(TryAgain):
    """The object store or the shared cache does not answer; the message says which and why.

    A job that it stops is tried again later, up to the limit of its kind.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason, after=timedelta(seconds=SECONDS))


class OutageMiddleware:
    """Answers 503 to a page that needs a service that cannot be reached; all other pages go on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, ServiceUnreachable):
            return None
        # The page does not say which one: the message has addresses of servers.
        _LOG.error("%s %s: %s", request.method, request.resolver_match and request.resolver_match.view_name, error)
        response = render(request, "studies/outage.html", status=503)
        response.headers["Retry-After"] = str(SECONDS)
        add_never_cache_headers(response)
        return response

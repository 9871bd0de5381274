"""Ends log-ins after a time without activity."""

import time
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse

LAST_SEEN: Final = "last_seen"
_NOTED_EVERY: Final = 60
"""The interval in seconds at which activity is stored, so that not every request writes the session."""


class IdleMiddleware:
    """Ends a log-in after `ACCORDANCE_IDLE_MINUTES` without a request made by a person."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Avoid loading sessions of visitors without a cookie, such as raters.
        if settings.ACCORDANCE_IDLE_MINUTES and settings.SESSION_COOKIE_NAME in request.COOKIES:
            _note_or_end(request, now=time.time())
        return self.get_response(request)


def _note_or_end(request: HttpRequest, *, now: float) -> None:
    if not request.user.is_authenticated:
        return
    last_seen = request.session.get(LAST_SEEN)
    if last_seen is not None and now - last_seen >= settings.ACCORDANCE_IDLE_MINUTES * 60:
        logout(request)
        messages.info(request, "You were logged out because of inactivity.")
    # Polling by an open page is not activity.
    elif last_seen is None or (now - last_seen >= _NOTED_EVERY and not _is_polling(request)):
        request.session[LAST_SEEN] = now


def _is_polling(request: HttpRequest) -> bool:
    return request.method == "GET" and request.headers.get("HX-Request") == "true"

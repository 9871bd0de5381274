"""The language of raters' pages: the one chosen on them, else the first of the browser's that there is, else English.

Nothing else changes language: researchers' pages, exports and commands stay as they are wherever they are read.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language_from_request, get_supported_language_variant

PARAMETER: Final = "language"
"""Stands in an address, so that a choice needs neither a script nor a cookie, which a panel's frame would not keep."""

COOKIE_SECONDS: Final = 180 * 24 * 60 * 60


def choose_language(request: HttpRequest) -> str:
    """Return the code of the language to answer in, one of `settings.LANGUAGES`."""
    return read_choice(request) or get_language_from_request(request)


def read_choice(request: HttpRequest) -> str:
    """Return the code of the language that the address asks for; empty if it asks for none that there is."""
    try:
        return get_supported_language_variant(request.GET.get(PARAMETER, ""))
    except LookupError:
        return ""


def remember_choice(response: HttpResponse, language: str, *, join_token: str) -> None:
    """Let the pages of one study come in this language from now on."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=COOKIE_SECONDS,
        path=reverse("annotation_ui:join", args=[join_token]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )

"""The language of raters' pages: the chosen one, else the browser's first available language, else English.

Researchers' pages, exports and commands are always in English.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language_from_request, get_language_info, get_supported_language_variant

PARAMETER: Final = "language"
"""The parameter of the address with the choice, which needs no script, and no cookie, which a frame would lose."""

COOKIE_SECONDS: Final = 180 * 24 * 60 * 60


def choose_language(request: HttpRequest) -> str:
    """Return the code of the language of the response, one of `settings.LANGUAGES`."""
    return read_choice(request) or get_language_from_request(request)


def read_choice(request: HttpRequest) -> str:
    """Return the code of the language given in the address; empty if there is none or it is not available."""
    try:
        return get_supported_language_variant(request.GET.get(PARAMETER, ""))
    except LookupError:
        return ""


def remember_choice(response: HttpResponse, language: str, *, join_token: str) -> None:
    """Set a cookie that selects this language for the pages of one study."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=COOKIE_SECONDS,
        path=reverse("annotation_ui:join", args=[join_token]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def name_language(code: str) -> str:
    """Return the name of a language in the language of the page; the code itself if Django has no name for it."""
    try:
        return str(get_language_info(code)["name_translated"]) if code else ""
    except KeyError:
        return code

"""Answers of a refused form, kept in a signed cookie, so that the page that asks again is not the response to a form.

Back and reload then never meet a page that the browser asks to submit again, with scripts and without.
"""

from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

_NAME: Final = "refused"
_SECONDS: Final = 30 * 60
_MOST: Final = 3500
"""Browsers store cookies of up to 4096 bytes, with name and attributes."""


def keep_refused(response: HttpResponse, data: Mapping[str, str], *, form: str, path: str) -> bool:
    """Keep the answers for the page at this path; return False if they are too long for a cookie.

    `form` names the form and the rater, so that the answers are read for nothing else.
    """
    answers = {name: value for name, value in data.items() if name != "csrfmiddlewaretoken"}
    signed = signing.dumps(answers, salt=_make_salt(form), compress=True)
    if len(signed) > _MOST:
        return False
    response.set_cookie(
        _NAME, signed, max_age=_SECONDS, path=path, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )
    return True


def read_refused(request: HttpRequest, *, form: str) -> dict[str, str] | None:
    """Return the refused answers of the form with this name; None if there are none, or they are forged or too old."""
    try:
        answers: dict[str, str] = signing.loads(request.COOKIES.get(_NAME, ""), salt=_make_salt(form), max_age=_SECONDS)
    except signing.BadSignature:
        return None
    return answers


def forget_refused(request: HttpRequest, response: HttpResponse, *, path: str) -> HttpResponse:
    """Delete the refused answers, because the form was accepted or given back, or its errors were shown."""
    if _NAME in request.COOKIES:
        response.delete_cookie(_NAME, path=path)
    return response


def _make_salt(form: str) -> str:
    return f"refused-{form}"

"""The response after too many attempts."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from studies.access.accounts.attempts import SPAN


def answer_too_often(request: HttpRequest, *_: Any) -> HttpResponse:
    """Answer that passwords are not checked for now; the setting AXES_LOCKOUT_CALLABLE names this function."""
    context = {"minutes": int(SPAN.total_seconds() / 60)}
    response = render(request, "studies/too_often.html", context, status=429)
    response.headers["Retry-After"] = str(int(SPAN.total_seconds()))
    add_never_cache_headers(response)
    return response

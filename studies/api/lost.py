"""Responses for unknown routes and unexpected errors: problem objects under /api/, pages elsewhere."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views import defaults

from studies.api.errors import CONTENT_TYPE, describe_problem

_PLACE = "/api/"
"""The path of the API, without the prefix of the site."""


def answer_unknown(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an unknown path."""
    if not request.path_info.startswith(_PLACE):
        return defaults.page_not_found(request, exception)
    return _answer(404, f"There is no such route; {reverse('api:home')} lists all routes.")


def answer_bad(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a malformed request, such as one with a NUL character."""
    if not request.path_info.startswith(_PLACE):
        return defaults.bad_request(request, exception)
    return _answer(400, str(exception) or "The request cannot be read.")


def answer_broken(request: HttpRequest) -> HttpResponse:
    """Answer after an unexpected error, which has been logged."""
    if not request.path_info.startswith(_PLACE):
        return defaults.server_error(request)
    return _answer(500, "Internal server error; see the log of the server.")


def _answer(status: int, detail: str) -> HttpResponse:
    return JsonResponse(describe_problem(status, detail), status=status, content_type=CONTENT_TYPE)

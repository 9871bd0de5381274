"""What is answered where no route is, or where one broke: a problem object to programs, a page to people."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views import defaults

from studies.api.errors import CONTENT_TYPE, describe_problem

_PLACE = "/api/"
"""Where programs ask, below whatever prefix the service stands behind."""


def answer_unknown(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that leads nowhere."""
    if not request.path_info.startswith(_PLACE):
        return defaults.page_not_found(request, exception)
    return _answer(404, f"There is no such route; {reverse('api:home')} lists those that there are.")


def answer_bad(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that no route can take: with a NUL character, say."""
    if not request.path_info.startswith(_PLACE):
        return defaults.bad_request(request, exception)
    return _answer(400, str(exception) or "The request cannot be read.")


def answer_broken(request: HttpRequest) -> HttpResponse:
    """Answer where an error of ours was met; the log has it."""
    if not request.path_info.startswith(_PLACE):
        return defaults.server_error(request)
    return _answer(500, "This is an error of ours; the log of the server has it.")


def _answer(status: int, detail: str) -> HttpResponse:
    return JsonResponse(describe_problem(status, detail), status=status, content_type=CONTENT_TYPE)

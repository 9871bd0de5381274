"""Middleware that rejects requests with NUL characters."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

_REFUSAL: Final = "a NUL character in the request"
_API: Final = "/api/"
_RATERS: Final = "/r/"


class NulMiddleware:
    """Responds with 400 if an address, a cookie or a form field contains NUL, which PostgreSQL cannot store in text.

    It comes after the CSRF middleware, which can reject a form before all of it is read here. JSON bodies are checked
    by the serializers of the API, and raters' pages reject NUL with an explanation of their own.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in "".join(request.COOKIES.values()):
            raise BadRequest(_REFUSAL)
        if not request.path_info.startswith(_RATERS) and ("\0" in request.path_info or _has_nul(request.GET.lists())):
            raise BadRequest(_REFUSAL)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, _view: Any, _args: Any, _kwargs: Any) -> None:
        # The API accepts only JSON, and does not read forms.
        is_form = request.content_type in ("application/x-www-form-urlencoded", "multipart/form-data")
        if is_form and not request.path_info.startswith((_API, _RATERS)) and _has_nul(request.POST.lists()):
            raise BadRequest(_REFUSAL)


def _has_nul(fields: Iterable[tuple[str, list[Any]]]) -> bool:
    return any("\0" in name or any("\0" in str(value) for value in values) for name, values in fields)

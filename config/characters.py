"""Characters that no address and no field may hold."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

_REFUSAL: Final = "a NUL character in the request"
_API: Final = "/api/"
_RATERS: Final = "/r/"


class NulMiddleware:
    """Answers 400 where an address, a cookie or a field of a form holds NUL: PostgreSQL has no text with it.

    Stands after the middleware against forgery, which refuses a form before all of it is read here. Bodies in JSON
    are checked by the serializers of the API, and raters' pages refuse it themselves, in words for raters.
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
        # The API takes JSON alone, and reads no form.
        is_form = request.content_type in ("application/x-www-form-urlencoded", "multipart/form-data")
        if is_form and not request.path_info.startswith((_API, _RATERS)) and _has_nul(request.POST.lists()):
            raise BadRequest(_REFUSAL)


def _has_nul(fields: Iterable[tuple[str, list[Any]]]) -> bool:
    return any("\0" in name or any("\0" in str(value) for value in values) for name, values in fields)

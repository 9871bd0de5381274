"""Common code of views that receive large files."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect


def limit_upload(refuse: Callable[..., HttpResponse]) -> Callable[..., Callable[..., HttpResponse]]:
    """Answer with `refuse`, without reading, if the request is larger than `ACCORDANCE_UPLOAD_MB`.

    The CSRF check reads the whole form, so it is done after this one.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        checked = csrf_protect(view)

        @csrf_exempt
        @wraps(view)
        def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and read_length(request) > settings.ACCORDANCE_UPLOAD_MB << 20:
                return refuse(request, **kwargs)
            return checked(request, **kwargs)

        return answer

    return decorate


def read_length(request: HttpRequest) -> int:
    """Return the declared length of a request's body in bytes; the server reads no more."""
    text = str(request.META.get("CONTENT_LENGTH") or 0)
    return int(text) if text.isascii() and text.isdigit() else 0

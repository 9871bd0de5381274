"""What views that take large files have in common."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect


def limit_upload(refuse: Callable[..., HttpResponse]) -> Callable[..., Callable[..., HttpResponse]]:
    """Answer with `refuse`, and read nothing, where more comes than a researcher may send (`ACCORDANCE_UPLOAD_MB`).

    The check against forgery reads the whole form, so it is made after this one, not before.
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
    """Return how many bytes a request says that it brings; the server reads no more than that."""
    text = str(request.META.get("CONTENT_LENGTH") or 0)
    return int(text) if text.isascii() and text.isdigit() else 0

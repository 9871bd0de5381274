"""Common code of views that receive large files, and of those that show an upload until it is imported."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from studies.datasets.drafts.upload_jobs import discard_upload, is_data
from studies.datasets.staged_uploads import Staged, find_staged


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


def explain_size_limit() -> str:
    """Say how much can be uploaded at once, for the page that refuses more."""
    most = settings.ACCORDANCE_UPLOAD_MB
    return f"At most {most:,} MB can be uploaded at once; ask the operator for a higher limit."


def fetch_upload(request: HttpRequest, token: str, *, of_data: bool) -> Staged:
    """Return an upload of the user, of judgments (`of_data`) or of a study to create; 404 if there is none."""
    staged = find_staged(token, user=request.user, now=timezone.now())
    if staged is None or is_data(staged) != of_data:
        raise Http404("uploads are kept for one day and are visible only to the user who sent them")
    return staged


def delete_upload(request: HttpRequest, staged: Staged, *, next_page: str) -> HttpResponse:
    """Delete an upload, and go to a page by its name."""
    discard_upload(staged, now=timezone.now())
    messages.success(request, "The upload has been deleted.")
    return redirect(next_page)

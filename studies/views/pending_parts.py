"""Pages that wait for parts computed by a job, and poll for them."""

from django.http import HttpRequest, HttpResponse

POLL = "awaited"
"""The parameter of requests by a page that waits for a part."""

NOTHING_NEW = 204


def is_poll(request: HttpRequest) -> bool:
    """Return whether the request is a poll by a page that waits for a part."""
    return POLL in request.GET


def answer_poll(is_awaited: bool) -> HttpResponse:
    """Answer a poll: with nothing while the part is being computed, then with a reload of the page."""
    if is_awaited:
        return HttpResponse(status=NOTHING_NEW)
    return HttpResponse(headers={"HX-Refresh": "true"})


def say_again(request: HttpRequest) -> str:
    """Return the URL of the page, ready to append another parameter."""
    said = request.GET.copy()
    for name in (POLL, "wait"):
        said.pop(name, None)
    query = said.urlencode()
    return f"{request.path}?{query}&" if query else f"{request.path}?"

"""What a page says of a part that a worker computes, and how the page learns that it is there."""

from django.http import HttpRequest, HttpResponse

POLL = "awaited"
"""In the address of a page: asked for by the page itself, which waits for a part."""

NOTHING_NEW = 204


def is_poll(request: HttpRequest) -> bool:
    """Whether a page that waits for a part asks if it is there."""
    return POLL in request.GET


def answer_poll(is_awaited: bool) -> HttpResponse:
    """Answer with nothing while the part is on its way, and then have the page loaded anew."""
    if is_awaited:
        return HttpResponse(status=NOTHING_NEW)
    return HttpResponse(headers={"HX-Refresh": "true"})


def say_again(request: HttpRequest) -> str:
    """Return the address of the page with room for one more parameter at its end."""
    said = request.GET.copy()
    for name in (POLL, "wait"):
        said.pop(name, None)
    query = said.urlencode()
    return f"{request.path}?{query}&" if query else f"{request.path}?"

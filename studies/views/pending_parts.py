"""Pages that wait for parts computed by a job, and poll for them.

A placeholder polls the page itself, with the id of its section in `awaited`. While the part is being computed, the
answer is the placeholder with its progress, or nothing if that has not changed; then the page, of which the browser
takes the section.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from jobs.enums import JobState
from jobs.page_fragment import describe_standing
from studies.analysis.cached_results import CachedValue

POLL = "awaited"
"""The parameter of requests by a page that waits for a part."""

NEWER = "newer"
"""A parameter of polls by a page that shows an older value of the part."""

NOTHING_NEW = 204

PARTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "results": "The agreement of metrics",
        "intervals": "Intervals and the human ceiling",
        "scatter": "The scatter plot",
        "people": "The distribution of judgments and the agreement of raters",
        "progress": "The counts of judgments",
        "truth": "The agreement of raters with truth",
    }
)
"""Part of a page that a job computes -> what it is, as the beginning of a sentence."""


def is_poll(request: HttpRequest) -> bool:
    """Return whether the request is a poll by a page that waits for a part."""
    return POLL in request.GET


def answer_poll(is_awaited: bool) -> HttpResponse:
    """Answer a poll: with nothing while the part is being computed, then with a reload of the page."""
    if is_awaited:
        return HttpResponse(status=NOTHING_NEW)
    return HttpResponse(headers={"HX-Refresh": "true"})


def answer_placeholder(request: HttpRequest, known: CachedValue[Any]) -> HttpResponse:
    """Answer a poll for a part that is still being computed: with its placeholder if there is progress."""
    if known.job is None or NEWER in request.GET:
        return HttpResponse(status=NOTHING_NEW)
    context = describe_placeholder(known, part=request.GET[POLL], again=say_again(request))
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "studies/placeholder.html", context)


def describe_placeholder(known: CachedValue[Any], *, part: str, again: str) -> dict[str, Any]:
    """Return the context of the template of a placeholder.

    Args:
        known: The value, which is pending or has failed.
        part: A key of `PARTS`.
        again: The address of the page, ready to append another parameter.
    """
    standing = describe_standing(known.job, now=timezone.now()) if known.job else {}
    shown = {"known": known, "part": part, "what": PARTS[part], "again": again}
    return {**standing, **shown, "seen": _mark(standing)}


def _mark(standing: Mapping[str, Any]) -> str:
    """Return a short text that changes with the progress of a job, and with that of the jobs it waits for."""
    if not standing:
        return ""
    job = standing["job"]
    if job.state != JobState.QUEUED:
        return f"{job.state}-{job.n_done}"
    return "-".join(str(each) for each in (job.state, standing["n_ahead"], standing["n_running_done"]))


def take_section(response: HttpResponse, section: str) -> HttpResponse:
    """Have the browser replace one section of the page that it shows by that of this page."""
    response.headers["HX-Retarget"] = response.headers["HX-Reselect"] = f"#{section}"
    response.headers["HX-Reswap"] = "outerHTML"
    return response


def say_again(request: HttpRequest) -> str:
    """Return the URL of the page, ready to append another parameter."""
    said = request.GET.copy()
    for name in (POLL, NEWER, "wait", "seen"):
        said.pop(name, None)
    query = said.urlencode()
    return f"{request.path}?{query}&" if query else f"{request.path}?"

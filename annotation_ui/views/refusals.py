"""Middleware that rejects invalid requests to raters' pages with an explanation, and records them for known raters.

It comes before the CSRF middleware, which would read forms of any size in search of the token.
"""

import logging
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import ResolverMatch
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext, gettext_lazy
from django.views.csrf import csrf_failure

from annotation_ui.languages import PARAMETER, choose_language
from annotation_ui.views.visits import read_rater
from studies.access.limits import ARRIVALS, JOINS, Limited, count_attempt, read_network
from studies.collection.events import record_refusal
from studies.models import Study
from studies.shared.clock import read_clock

logger = logging.getLogger(__name__)
PATH: Final = "/r/"
"""The path of raters' pages (see `config.urls`)."""

_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
_REASONS: Final = {
    "TooLarge": (413, gettext_lazy("The submitted data is too large. An answer is a few choices or one sentence.")),
    "WrongType": (415, gettext_lazy("The submitted data is not a form of these pages.")),
    "UnknownFields": (400, gettext_lazy("The submitted form has fields that this page does not have.")),
    "BadRequest": (400, gettext_lazy("The submitted data cannot be read.")),
    "NoToken": (
        403,
        gettext_lazy(
            "This form has expired, or your browser does not accept cookies. Reload the page and submit the form again."
        ),
    ),
    "WrongMethod": (405, gettext_lazy("This address only accepts submitted answers; it is not a page.")),
    "TooOften": (
        429,
        gettext_lazy("Too many people have joined from your network within a minute. Please try again in a minute."),
    ),
}


class RefusalMiddleware:
    """Rejects requests that no page of raters accepts, and replaces Django's plain error pages with explanations."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 404 and request.resolver_match is None and request.path_info.startswith(PATH):
            return _say_unknown(request)
        bare = {400: "BadRequest", 405: "WrongMethod"}.get(response.status_code)
        if bare is None or not _find_token(request) or hasattr(response, "refusal"):
            return response
        refusal = refuse(request, bare)
        if "Allow" in response:
            refusal["Allow"] = response["Allow"]
        return refusal

    def process_view(self, request: HttpRequest, _view: Any, _args: Any, _kwargs: Any) -> HttpResponse | None:
        if not _find_token(request):
            return None
        reason = _find_objection(request) if request.method == "POST" else _limit_arrivals(request)
        return refuse(request, reason) if reason else None


def _say_unknown(request: HttpRequest) -> HttpResponse:
    """Return the page for unknown addresses; missing trailing slashes are redirected later by Django."""
    with translation.override(choose_language(request)):
        response = render(request, "annotation_ui/unknown.html", status=404)
    add_never_cache_headers(response)
    return response


def refuse(request: HttpRequest, reason: str, **details: object) -> HttpResponse:
    """Return the page that explains a rejection; the event stores the reason, but none of the submitted data."""
    status, words = _REASONS[reason]
    study = Study.objects.filter(join_token=_find_token(request)).first()
    rater = read_rater(request, study) if study else None
    if rater is not None:
        record_refusal(rater, reason=reason, now=read_clock(), method=request.method, **details)
    # Log the name of the page, because its address may contain a secret.
    match: ResolverMatch | None = request.resolver_match
    logger.warning("refused %s %s: %s", request.method, match.view_name if match else "an unknown address", reason)
    with translation.override(choose_language(request)):
        sentences = [str(words), gettext("Nothing was stored just now. Everything that you saved before is safe.")]
        context = {"study": study, "reason": sentences[0], "safe": sentences[1]}
        response = render(request, "annotation_ui/not_taken.html", context, status=status)
    add_never_cache_headers(response)
    response.refusal = reason
    return response


def refuse_forgery(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the response to a form without a valid CSRF token; used as the setting CSRF_FAILURE_VIEW."""
    if _find_token(request):
        return refuse(request, "NoToken")
    return csrf_failure(request, reason=reason)


def _find_token(request: HttpRequest) -> str:
    """Return the study's token in the address of a raters' page; empty for other pages."""
    match: ResolverMatch | None = request.resolver_match
    # The preview for researchers has the same URL names in another namespace.
    if match is None or match.namespace != "annotation_ui":
        return ""
    return str(match.kwargs["join_token"]).replace("\0", "")


def _find_objection(request: HttpRequest) -> str:
    text = str(request.META.get("CONTENT_LENGTH") or 0)
    if not (text.isascii() and text.isdigit()):
        return "BadRequest"
    length = int(text)
    if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        return "TooLarge"
    if length and request.content_type not in _FORMS:
        return "WrongType"
    if request.resolver_match.url_name == "join" and not _is_within(JOINS, request):
        return "TooOften"
    return ""


def _limit_arrivals(request: HttpRequest) -> str:
    """Limit requests with parameters of an arrival, so that ids cannot be guessed."""
    name = request.resolver_match.url_name
    names_somebody = name == "resume" or (name == "join" and bool(set(request.GET) - {PARAMETER}))
    return "" if not names_somebody or _is_within(ARRIVALS, request) else "TooOften"


def _is_within(limited: Limited, request: HttpRequest) -> bool:
    who = f"{_find_token(request)}/{read_network(request.META)}"
    return count_attempt(limited, who, most=settings.ACCORDANCE_JOINS_PER_MINUTE, now=read_clock())

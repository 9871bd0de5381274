"""The page of one report for everybody who has its secret link."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studies.access.sharing import count_view, find_shared
from studies.models import FrozenReport
from studies.publishing.freezing import load_report
from studies.publishing.report_pages import NoSuchPart, lay_out, write_part
from studies.views.publishing.reports import answer_part


@require_safe
@never_cache
def show_shared(request: HttpRequest, token: str) -> HttpResponse:
    frozen, report = _find(token)
    count_view(token)
    context = {"frozen": frozen, "shown": lay_out(frozen, report), "base": reverse("studies:shared", args=[token])}
    return _hide(render(request, "studies/report_shared.html", context))


@require_safe
@never_cache
def download_shared(request: HttpRequest, token: str, part: str, file_format: str) -> HttpResponse:
    frozen, report = _find(token)
    try:
        content = write_part(frozen, report, part=part, file_format=file_format)
    except NoSuchPart as error:
        raise Http404(str(error)) from error
    return _hide(answer_part(request, content, file_name=f"report-{frozen.number}-{part}.{file_format}"))


def _find(token: str) -> tuple[FrozenReport, Any]:
    frozen = find_shared(token, now=timezone.now())
    if frozen is None:
        raise Http404("this link is unknown, revoked or expired")
    return load_report(frozen.study, frozen.number)


def _hide(response: HttpResponse) -> HttpResponse:
    """Add headers that keep search engines from indexing the page, and other sites from learning the secret URL."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response

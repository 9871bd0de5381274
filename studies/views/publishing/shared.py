"""The page of one report for everybody who has its secret link."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from correlation.reports.json_form import read_report
from studies.access.sharing import count_view, find_shared
from studies.models import FrozenReport
from studies.publishing.report_pages import lay_out
from studies.views.publishing.reports import answer_report_part


@require_safe
@never_cache
def show_shared(request: HttpRequest, token: str) -> HttpResponse:
    frozen = _find(token)
    count_view(token)
    context = {
        "frozen": frozen,
        "shown": lay_out(frozen, read_report(frozen.content), for_readers=True),
        "base": reverse("studies:shared", args=[token]),
    }
    return _hide(render(request, "studies/report_shared.html", context))


@require_safe
@never_cache
def download_shared(request: HttpRequest, token: str, part: str, file_format: str) -> HttpResponse:
    frozen = _find(token)
    file_name = f"report-{frozen.number}-{part}.{file_format}"
    chosen = {"part": part, "file_format": file_format, "file_name": file_name}
    return _hide(answer_report_part(request, frozen, **chosen, for_readers=True))


def _find(token: str) -> FrozenReport:
    frozen = find_shared(token, now=timezone.now())
    if frozen is None:
        raise Http404("this link is unknown, revoked or expired")
    return frozen


def _hide(response: HttpResponse) -> HttpResponse:
    """Add headers that keep search engines from indexing the page, and other sites from learning the secret URL."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response

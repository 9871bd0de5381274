"""The audit log of a study."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studies.access.history import list_history, write_history
from studies.shared.content_types import send_lines
from studies.views.fetch import fetch_study

PER_PAGE = 50


@login_required
@require_safe
def show_history(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    page = Paginator(list_history(study), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "studies/history.html", {"study": study, "tab": "studies:history", "page": page})


@login_required
@require_safe
@never_cache
def download_history(request: HttpRequest, name: str) -> StreamingHttpResponse:
    study = fetch_study(request, name)
    return send_lines(write_history(study), file_name=f"{study.name}-history.csv")

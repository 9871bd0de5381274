"""Public studies and reports for visitors, and the owner's choice to make them public."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from correlation.reports.json_form import read_report
from studies.access.publicity import public_reports, public_studies, set_report_public, set_study_public
from studies.models import FrozenReport
from studies.publishing.public_studies import PublicStudy, find_public_studies
from studies.publishing.report_pages import lay_out
from studies.views.fetch import fetch_managed_study, who_and_when
from studies.views.publishing.reports import answer_report_part

CHOICES = {"yes": True, "no": False}


@require_safe
def list_public(request: HttpRequest) -> HttpResponse:
    return render(request, "studies/public_list.html", {"section": "public", "shown": find_public_studies()})


@require_safe
def show_public(request: HttpRequest, name: str) -> HttpResponse:
    """Show a public study with its newest public report."""
    shown = _find_study(name)
    context: dict[str, Any] = {"section": "public", "shown": shown, "study": shown.study}
    if shown.reports:
        context |= _lay_out(name, shown.reports[0].number)
    return render(request, "studies/public_study.html", context)


@require_safe
def show_public_report(request: HttpRequest, name: str, number: int) -> HttpResponse:
    shown = _find_study(name)
    context = {"section": "public", "shown": shown, "study": shown.study, **_lay_out(name, number)}
    return render(request, "studies/public_study.html", context)


@require_safe
@cache_control(no_cache=True)
def download_public_report(request: HttpRequest, name: str, number: int, part: str, file_format: str) -> HttpResponse:
    file_name = f"{name}-report-{number}-{part}.{file_format}"
    chosen = {"part": part, "file_format": file_format, "file_name": file_name}
    return answer_report_part(request, _find_report(name, number), **chosen, for_readers=True)


@login_required
@require_POST
def publish_study(request: HttpRequest, name: str) -> HttpResponse:
    study, choice = fetch_managed_study(request, name), CHOICES.get(request.POST.get("public", ""))
    if choice is None:
        return HttpResponseBadRequest("public must be yes or no")
    if set_study_public(study, choice, **who_and_when(request)):
        messages.success(request, f"The study is {'public' if choice else 'private'} now.")
    return redirect("studies:people", name)


@login_required
@require_POST
def publish_report(request: HttpRequest, name: str, number: int) -> HttpResponse:
    study, choice = fetch_managed_study(request, name), CHOICES.get(request.POST.get("public", ""))
    if choice is None:
        return HttpResponseBadRequest("public must be yes or no")
    report = get_object_or_404(FrozenReport.objects.select_related("study"), study=study, number=number)
    if set_report_public(report, choice, **who_and_when(request)):
        messages.success(request, f"Report {number} is {'public' if choice else 'private'} now.")
    return redirect("studies:report", name, number)


def _find_study(name: str) -> PublicStudy:
    found = find_public_studies(public_studies().filter(name=name))
    if not found:
        raise Http404("there is no public study with this name")
    return found[0]


def _find_report(name: str, number: int) -> FrozenReport:
    return get_object_or_404(public_reports().select_related("study"), study__name=name, number=number)


def _lay_out(name: str, number: int) -> dict[str, Any]:
    frozen = _find_report(name, number)
    base = reverse("studies:public_report", args=[name, number])
    return {"frozen": frozen, "page": lay_out(frozen, read_report(frozen.content), for_readers=True), "base": base}

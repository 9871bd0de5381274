"""Judgments and results as files."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studies.analysis.explorer.default_report import add_intervals
from studies.analysis.results import load_results
from studies.publishing.exporting.files import FILES, CannotExport, export_file
from studies.publishing.exporting.results import RESULT_FORMATS
from studies.publishing.exports import export_judgments, join_lines
from studies.shared.content_types import send_lines
from studies.views.fetch import fetch_study, who_and_when


@login_required
@require_safe
@never_cache
def download_judgments(request: HttpRequest, name: str) -> StreamingHttpResponse:
    study = fetch_study(request, name)
    guards = request.GET.get("for") != "programs"
    lines = export_judgments(study, guards=guards, **who_and_when(request))
    return send_lines(join_lines(lines), file_name=f"{study.name}-judgments.csv")


@login_required
@require_safe
@never_cache
def download_results(request: HttpRequest, name: str, file_format: str) -> StreamingHttpResponse:
    study = fetch_study(request, name)
    if file_format not in RESULT_FORMATS:
        raise Http404(f"results come as {' or '.join(RESULT_FORMATS)}, not as {file_format}")
    lines = RESULT_FORMATS[file_format](add_intervals(load_results(study), study))
    return send_lines(join_lines(lines), file_name=f"{study.name}-results.{file_format}")


@login_required
@require_safe
@never_cache
def export(request: HttpRequest, name: str, part: str, file_format: str) -> HttpResponseBase:
    study = fetch_study(request, name)
    if (part, file_format) not in FILES:
        raise Http404(f"there is no export {part}.{file_format}")
    system = request.GET.get("system", "")
    try:
        made = export_file(study, part=part, file_format=file_format, system=system, **who_and_when(request))
    except CannotExport as refusal:
        messages.error(request, f"{refusal}.")
        return redirect("studies:reports", name)
    file_name = f"{study.name}-{part}.{file_format}"
    return send_lines(join_lines(iter(made.parts)), content_type=made.content_type, file_name=file_name)

"""The correlation explorer: its page, the parts of it that arrive later, and everything on it as files."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from studies.domain.exploring.drawing import (
    CONTENT_TYPES,
    describe_differences,
    describe_forest,
    describe_multiverse,
    describe_scatter,
    make_file,
    make_multiverse_table,
    make_scatter_table,
)
from studies.domain.exploring.opening import NothingToExplore, OpenedStudy, open_study
from studies.domain.exploring.showing import (
    ShownAgreement,
    ShownMultiverse,
    follow_agreement,
    show_agreement,
    show_multiverse,
)
from studies.domain.exploring.tables import tabulate_differences
from studies.forms.explorer import ExplorerForm
from studies.views.fetch import fetch_study

NOTHING_NEW = 204
PAGE = "studies:explore"


@login_required
@require_safe
@never_cache
@vary_on_headers("HX-Request")
def show_explorer(request: HttpRequest, name: str) -> HttpResponse:
    opened, form = _open(request, name)
    context: dict[str, Any] = {"study": opened.study, "opened": opened, "form": form, "tab": PAGE}
    valid = form.is_valid()
    if valid:
        context |= _look(request, opened, form)
    response = render(request, "studies/explore.html", context, status=200 if valid else 422)
    if valid and request.headers.get("HX-Request"):
        # The address bar says what was chosen and nothing else.
        response.headers["HX-Push-Url"] = f"{reverse(PAGE, args=[name])}?{form.write_query()}"
    return response


@login_required
@require_safe
@never_cache
def show_intervals(request: HttpRequest, name: str) -> HttpResponse:
    """The table and its pictures with the intervals that are there by now; nothing (204) if nothing is new."""
    opened, form = _open(request, name)
    if not form.is_valid():
        raise Http404(f"no such view: {form.errors.as_text()}")
    try:
        shown = follow_agreement(opened, form.choice, work=request.GET.get("work", ""), now=timezone.now())
    except NothingToExplore as error:
        raise Http404(str(error)) from error
    if shown.progress and not shown.progress.is_over and shown.progress.mark == request.GET.get("seen"):
        return HttpResponse(status=NOTHING_NEW)
    context = {"study": opened.study, "form": form, **_tell_agreement(shown, form)}
    return render(request, "studies/explore_agreement.html", context)


@login_required
@require_safe
@never_cache
def show_ranks(request: HttpRequest, name: str) -> HttpResponse:
    """The multiverse once it is there; nothing (204) until then."""
    opened, form = _open(request, name)
    if not form.is_valid():
        raise Http404(f"no such view: {form.errors.as_text()}")
    try:
        shown = show_multiverse(opened, form.choice, now=timezone.now())
        if shown.progress and not shown.progress.is_over:
            return HttpResponse(status=NOTHING_NEW)
        context = {"study": opened.study, "form": form, **_tell_multiverse(opened, form, shown)}
    except NothingToExplore as error:
        raise Http404(str(error)) from error
    return render(request, "studies/explore_multiverse.html", context)


@login_required
@require_safe
@never_cache
def download_part(request: HttpRequest, name: str, part: str, file_format: str) -> HttpResponse:
    """One table or picture as a file; a picture for the page, without `download`, does not wait for intervals."""
    opened, form = _open(request, name)
    if not form.is_valid():
        raise Http404(f"no such view: {form.errors.as_text()}")
    metric, download = form.cleaned_data["metric"], "download" in request.GET
    try:
        content = make_file(part, file_format, opened, form.choice, metric=metric, whole=download)
    except NothingToExplore as error:
        raise Http404(str(error)) from error
    response = HttpResponse(content, content_type=CONTENT_TYPES[file_format])
    if download:
        response.headers["Content-Disposition"] = f'attachment; filename="{name}-{part}.{file_format}"'
    return response


def _open(request: HttpRequest, name: str) -> tuple[OpenedStudy, ExplorerForm]:
    opened = open_study(fetch_study(request, name), protocol=request.GET.get("protocol", ""))
    return opened, ExplorerForm(request.GET, opened=opened)


def _look(request: HttpRequest, opened: OpenedStudy, form: ExplorerForm) -> dict[str, Any]:
    wait, now = "wait" in request.GET, timezone.now()
    try:
        shown = show_agreement(opened, form.choice, now=now, wait=wait)
        report = shown.explored.report
        metric = form.choose_metric(shown.explored.metrics)
        context = _tell_agreement(shown, form) | {
            "metric": metric,
            "scatter_text": describe_scatter(report, metric=metric),
            "scatter_table": make_scatter_table(opened, form.choice, metric=metric),
        }
    except NothingToExplore as error:
        return {"problem": str(error)}
    if form.cleaned_data["multiverse"] and not opened.base.is_pairwise:
        try:
            context |= _tell_multiverse(opened, form, show_multiverse(opened, form.choice, now=now, wait=wait))
        except NothingToExplore as error:
            context["multiverse_problem"] = str(error)
    return context


def _tell_agreement(shown: ShownAgreement, form: ExplorerForm) -> dict[str, Any]:
    report = shown.explored.report
    return {
        "shown": shown,
        "report": report,
        "table": shown.table,
        "query": form.write_query(),
        "forest_text": describe_forest(report),
        "differences_text": describe_differences(report) if report.differences else "",
        "differences": tabulate_differences(report) if report.differences else None,
    }


def _tell_multiverse(opened: OpenedStudy, form: ExplorerForm, shown: ShownMultiverse) -> dict[str, Any]:
    found = shown.multiverse
    return {
        "ranks": shown,
        "query": form.write_query(),
        "multiverse_text": describe_multiverse(found) if found else "",
        "multiverse_table": make_multiverse_table(opened, form.choice, found) if found else None,
    }

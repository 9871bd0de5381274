"""The correlation explorer: its page, the parts that are loaded later, and files."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from correlation.errors import CorrelationInputError
from correlation.figures.rendering import render as render_figure
from studies.analysis.explorer.cached_overview import Look, ask_for, find_look, find_opened
from studies.analysis.explorer.loaded_study import NothingToExplore, OpenedStudy, open_study
from studies.analysis.explorer.page import (
    ShownAgreement,
    ShownMultiverse,
    cancel_replaced,
    follow_agreement,
    follow_multiverse,
    show_agreement,
    show_multiverse,
)
from studies.analysis.explorer.plots import (
    SCATTERS,
    describe_differences,
    describe_multiverse,
    make_file,
    make_multiverse_table,
)
from studies.analysis.explorer.report import Explored, list_unscored
from studies.analysis.explorer.tables import tabulate_differences
from studies.analysis.figures import describe_forest, describe_scatter
from studies.forms.analysis.explorer import ExplorerForm
from studies.models import Study
from studies.rules import ANALYSE_STUDY
from studies.shared.content_types import send_file
from studies.shared.problems import read_problem
from studies.views.analysis.open_pages import find_pages
from studies.views.fetch import fetch_study
from studies.views.pending_parts import NOTHING_NEW, answer_poll, is_poll, say_again

PAGE = "studies:explore"


@login_required
@require_safe
@never_cache
@vary_on_headers("HX-Request")
def show_explorer(request: HttpRequest, name: str) -> HttpResponse:
    view = _find_view(request, name)
    if is_poll(request):
        return answer_poll(view.is_awaited)
    pages = find_pages(request)
    context: dict[str, Any] = {
        "study": view.study,
        "page_name": pages[-1],
        "tab": PAGE,
        "again": say_again(request),
        "view": view,
        "may_analyse": request.user.has_perm(ANALYSE_STUDY, view.study),
    }
    if view.opened is None or view.form is None:
        return render(request, "studies/explore.html", context)
    valid = view.form.is_valid()
    context |= {"opened": view.opened, "form": view.form}
    if view.look and view.look.explored:
        wait = "wait" in request.GET
        context |= _look(view.opened, view.form, view.look, view.look.explored, pages=pages, wait=wait)
    response = render(request, "studies/explore.html", context, status=200 if valid else 422)
    if valid and request.headers.get("HX-Request"):
        # The address bar shows only the chosen options.
        response.headers["HX-Push-Url"] = f"{reverse(PAGE, args=[name])}?{view.form.write_query()}"
    return response


@login_required
@require_safe
@never_cache
def show_intervals(request: HttpRequest, name: str) -> HttpResponse:
    """Show the table and its pictures with the intervals computed so far; 204 if nothing is new."""
    part = _find_part(request, name)
    if part is None:
        return HttpResponse(status=NOTHING_NEW)
    study, opened, form = part
    work, page = request.GET.get("work", ""), find_pages(request)[-1]
    try:
        shown = follow_agreement(opened, form.choice, work=work, now=timezone.now(), page=page)
    except NothingToExplore as error:
        raise Http404(str(error)) from error
    if shown.progress and not shown.progress.is_over and shown.progress.mark == request.GET.get("seen"):
        return HttpResponse(status=NOTHING_NEW)
    context = {"study": study, "form": form, **_tell_agreement(opened, form, shown)}
    return render(request, "studies/explore_agreement.html", context)


@login_required
@require_safe
@never_cache
def show_ranks(request: HttpRequest, name: str) -> HttpResponse:
    """Show the multiverse once it is computed, or why it is not; 204 until then."""
    part = _find_part(request, name)
    if part is None:
        return HttpResponse(status=NOTHING_NEW)
    study, opened, form = part
    work, page = request.GET.get("work", ""), find_pages(request)[-1]
    try:
        shown = follow_multiverse(opened, form.choice, work=work, now=timezone.now(), page=page)
        if shown.progress and not shown.progress.is_over:
            return HttpResponse(status=NOTHING_NEW)
        context = {"study": study, "form": form, **_tell_multiverse(opened, form, shown)}
    except NothingToExplore as error:
        raise Http404(str(error)) from error
    return render(request, "studies/explore_multiverse.html", context)


@login_required
@require_safe
@never_cache
def download_part(request: HttpRequest, name: str, part: str, file_format: str) -> HttpResponse:
    """Return a current table or picture as a file; without `download`, a picture for display on the page."""
    download = "download" in request.GET
    view = None if download else _find_view(request, name)
    if view and view.look and view.look.pictures and part in SCATTERS and file_format in ("svg", "vega"):
        picture = view.look.pictures[SCATTERS[part]]
        return send_file(render_figure(picture, file_format), file_name=f"{part}.{file_format}", is_shown=True)
    if view and view.opened and view.form and view.look:
        opened, form = view.opened, view.form
    else:
        opened = open_study(fetch_study(request, name), protocol=request.GET.get("protocol", ""))
        form = ExplorerForm(request.GET, opened=opened)
    if not form.is_valid():
        raise Http404(f"invalid options: {form.errors.as_text()}")
    metric = form.cleaned_data["metric"]
    try:
        content = make_file(part, file_format, opened, form.choice, metric=metric, whole=download)
    except NothingToExplore as error:
        raise Http404(str(error)) from error
    return send_file(content, file_name=f"{name}-{part}.{file_format}", is_shown=not download)


@dataclass(frozen=True, slots=True)
class _View:
    """The requested view of the explorer, and its data.

    Attributes:
        study: The study.
        opened: The opened study, in the same state as the look; None before the first time.
        form: The query; None without an opened study.
        look: None before it is computed, or if the query is invalid.
        as_of: The date of the look; None if it is current.
        is_pending: Whether a newer value is being computed.
        has_failed: Whether computing a newer value has failed.
    """

    study: Study
    opened: OpenedStudy | None = None
    form: ExplorerForm | None = None
    look: Look | None = None
    as_of: datetime | None = None
    is_pending: bool = False
    has_failed: bool = False

    @property
    def is_awaited(self) -> bool:
        """Whether the page has nothing to show yet but will have."""
        return self.look is None and self.is_pending


def _find_view(request: HttpRequest, name: str) -> _View:
    study, protocol = fetch_study(request, name), request.GET.get("protocol", "")
    asks = {"now": timezone.now(), "wait": "wait" in request.GET, "is_poll": is_poll(request)}
    try:
        asked = ask_for(study, protocol=protocol)
    except CorrelationInputError:
        # The form or the look shows the problem.
        opened = open_study(study, protocol=protocol)
        look = Look(opened.fingerprint, problem=opened.problem)
        return _View(study, opened, ExplorerForm(request.GET, opened=opened), look)
    seen = find_opened(asked, **asks)
    if seen.made is None:
        return _View(study, is_pending=seen.is_pending, has_failed=seen.has_failed)
    form = ExplorerForm(request.GET, opened=seen.made)
    if not form.is_valid():
        return _View(study, seen.made, form)
    known = find_look(asked, form.choice, metric=form.cleaned_data["metric"], **asks)
    # Values computed from the look belong to its judgments, which may differ from those of the facets.
    opened = replace(seen.made, fingerprint=known.made.fingerprint) if known.made else seen.made
    return _View(study, opened, form, known.made, known.as_of, known.is_pending, known.has_failed)


def _find_part(request: HttpRequest, name: str) -> tuple[Study, OpenedStudy, ExplorerForm] | None:
    """Return the inputs of a part of the page; None while they are being computed."""
    view = _find_view(request, name)
    if view.opened is None or view.form is None or view.is_awaited:
        return None
    if not view.form.is_valid():
        raise Http404(f"invalid options: {view.form.errors.as_text()}")
    return view.study, view.opened, view.form


def _look(
    opened: OpenedStudy, form: ExplorerForm, look: Look, explored: Explored, *, pages: tuple[str, ...], wait: bool
) -> dict[str, Any]:
    now, page = timezone.now(), pages[-1]
    has_ranks = form.cleaned_data["multiverse"] and not opened.base.is_pairwise
    cancel_replaced(opened, form.choice, has_ranks=has_ranks, pages=pages, now=now)
    try:
        shown = show_agreement(opened, form.choice, now=now, wait=wait, quick=explored, page=page)
    except NothingToExplore as error:
        return {"problem": read_problem(error)}
    metric = form.choose_metric(explored.metrics)
    context = _tell_agreement(opened, form, shown) | {
        "metric": metric,
        "scatter_text": describe_scatter(shown.explored.report.rows, metric=metric, against=opened.study.compared_with),
        "scatter_table": look.scatter,
    }
    if has_ranks:
        try:
            ranks = show_multiverse(opened, form.choice, now=now, wait=wait, page=page)
            context |= _tell_multiverse(opened, form, ranks)
        except NothingToExplore as error:
            context["multiverse_problem"] = str(error)
    return context


def _tell_agreement(opened: OpenedStudy, form: ExplorerForm, shown: ShownAgreement) -> dict[str, Any]:
    report = shown.explored.report
    return {
        "shown": shown,
        "report": report,
        "table": shown.table,
        "unscored": list_unscored(opened, shown.explored),
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

"""Figures of a study as files, and the points in them."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from correlation.figures.rendering import render
from studies.analysis.cached_results import CachedValue, StudyInputs
from studies.analysis.explorer.default_report import find_agreement
from studies.analysis.figures import CONTENT_TYPES, draw_forest, draw_scatter, write_study_headline
from studies.analysis.fingerprint import fingerprint_results
from studies.analysis.scatter.pages import ShownScatter, find_scatter
from studies.analysis.scatter.points import NoScatter, load_scatter, write_points
from studies.forms.analysis.scatter import FigureForm, ForestForm
from studies.models import Study
from studies.scoring.run_lists import list_scored_metrics
from studies.shared.content_types import send_file, send_lines
from studies.views.fetch import fetch_study


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def show_scatter(request: HttpRequest, name: str, file_format: str) -> HttpResponse | StreamingHttpResponse:
    """Draw a metric against people, as on the page or as a current file. Browsers cache it until it changes."""
    study = fetch_study(request, name)
    form = FigureForm(request.GET)
    if file_format not in (*CONTENT_TYPES, "csv") or not form.is_valid():
        raise Http404(f"no figure of {file_format!r} for {request.GET.dict()}")
    chosen = form.cleaned_data
    is_shown = file_format == "svg" and not chosen["download"]
    shown = find_shown_scatter(study, chosen["metric"]) if is_shown else None
    # The picture on the page may be older than the study; another release may draw it differently.
    drawn = shown.as_of if shown and shown.as_of else fingerprint_results(study)
    facts = (drawn, version("accordance"), file_format, request.GET.urlencode())
    tag = f'"{sha256(repr(facts).encode()).hexdigest()}"'
    response = get_conditional_response(request, etag=tag) or _draw(study, chosen, shown, file_format)
    response["ETag"] = tag
    return response


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def show_forest(request: HttpRequest, name: str, file_format: str) -> HttpResponse:
    """Draw the forest plot of the overview's report; a downloaded one has the overview's headline as its title."""
    study = fetch_study(request, name)
    form = ForestForm(request.GET)
    if file_format not in CONTENT_TYPES or not form.is_valid():
        raise Http404(f"no figure of {file_format!r} for {request.GET.dict()}")
    chosen = form.cleaned_data
    report = find_agreement(study, StudyInputs(study), now=timezone.now()).report
    if report is None:
        raise Http404(f"study {study.name} has no results yet")
    titled = replace(report, title=write_study_headline(report) if chosen["download"] else "")
    tag = f'"{sha256(repr((titled, version("accordance"), file_format, chosen)).encode()).hexdigest()}"'
    response = get_conditional_response(request, etag=tag)
    if response is None:
        figure = render(draw_forest(titled, size=chosen["size"] or "wide"), file_format)
        file_name = f"{study.name}-forest.{file_format}"
        response = send_file(figure, file_name=file_name, is_shown=not chosen["download"])
    response["ETag"] = tag
    return response


def find_shown_scatter(study: Study, metric: str) -> CachedValue[ShownScatter] | None:
    """Return the values shown on the page for a metric; None if there are none."""
    # Do not queue a job for a metric without scores.
    if metric not in list_scored_metrics(study):
        return None
    try:
        return find_scatter(study, metric=metric, now=timezone.now())
    except NoScatter:
        return None


def _draw(
    study: Study, chosen: Mapping[str, Any], shown: CachedValue[ShownScatter] | None, file_format: str
) -> HttpResponse | StreamingHttpResponse:
    metric, size = chosen["metric"], chosen["size"] or "wide"
    file_name = f"{study.name}-{metric}.{file_format}"
    if shown:
        if shown.made is None:
            raise Http404(f"the scatter plot of {metric} is still being computed")
        return send_file(render(shown.made.pictures[size], file_format), file_name=file_name, is_shown=True)
    try:
        points = load_scatter(study, metric=metric)
    except NoScatter as error:
        raise Http404(str(error)) from error
    if file_format == "csv":
        return send_lines(write_points(points), file_name=file_name)
    figure = render(draw_scatter(points, size=size), file_format)
    return send_file(figure, file_name=file_name, is_shown=not chosen["download"])

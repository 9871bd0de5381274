"""Figures of a study as files, and the points in them."""

from hashlib import sha256
from importlib.metadata import version

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from studies.domain.awaiting import Known
from studies.domain.exports import write_points
from studies.domain.figures import CONTENT_TYPES, draw_scatter, render_figure
from studies.domain.fingerprint import fingerprint_results
from studies.domain.queries.runs import list_scored_metrics
from studies.domain.scatter import NoScatter, load_scatter
from studies.domain.scatter_pages import ShownScatter, find_scatter
from studies.forms.scatter import FigureForm
from studies.models import Study
from studies.views.fetch import fetch_study


def _find_etag(request: HttpRequest, name: str, file_format: str) -> str:
    """Let a browser keep a figure until what it shows has changed."""
    study = fetch_study(request, name)
    shown = _find_shown(request, study, file_format)
    # A picture on the page may be older than the study; one study may be drawn by another release after an upgrade.
    drawn = shown.as_of if shown and shown.as_of else fingerprint_results(study)
    facts = (drawn, version("accordance"), file_format, request.GET.urlencode())
    return f'"{sha256(repr(facts).encode()).hexdigest()}"'


def _find_shown(request: HttpRequest, study: Study, file_format: str) -> Known[ShownScatter] | None:
    """Return what the page shows, for its picture; None for a file of the moment, or if there is nothing."""
    form = FigureForm(request.GET)
    if file_format != "svg" or not form.is_valid() or form.cleaned_data["download"]:
        return None
    metric = form.cleaned_data["metric"]
    # No worker is asked for what has no scores.
    if metric not in list_scored_metrics(study.dataset):
        return None
    try:
        return find_scatter(study, metric=metric, now=timezone.now())
    except NoScatter:
        return None


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
@condition(etag_func=_find_etag)
def show_scatter(request: HttpRequest, name: str, file_format: str) -> HttpResponse | StreamingHttpResponse:
    study = fetch_study(request, name)
    form = FigureForm(request.GET)
    if file_format not in (*CONTENT_TYPES, "csv") or not form.is_valid():
        raise Http404(f"no figure of {file_format!r} for {request.GET.dict()}")
    metric, size = form.cleaned_data["metric"], form.cleaned_data["size"] or "wide"
    shown = _find_shown(request, study, file_format)
    if shown:
        if shown.made is None:
            raise Http404(f"the scatter of {metric} is being made")
        picture = render_figure(shown.made.pictures[size], file_format=file_format)
        return HttpResponse(picture, content_type=CONTENT_TYPES[file_format])
    try:
        points = load_scatter(study, metric=metric)
    except NoScatter as error:
        raise Http404(str(error)) from error
    file_name = f'attachment; filename="{study.name}-{metric}.{file_format}"'
    if file_format == "csv":
        headers = {"Content-Disposition": file_name}
        return StreamingHttpResponse(write_points(points), content_type="text/csv; charset=utf-8", headers=headers)
    figure = render_figure(draw_scatter(points, size=size), file_format=file_format)
    headers = {"Content-Disposition": file_name} if form.cleaned_data["download"] else {}
    return HttpResponse(figure, content_type=CONTENT_TYPES[file_format], headers=headers)

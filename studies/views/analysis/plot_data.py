"""Data of the plots that readers can point at: specifications for Vega, and the items behind a point."""

from dataclasses import replace
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from correlation.figures.rendering import compile_figure
from studies.analysis.cached_results import StudyInputs
from studies.analysis.explorer.default_report import find_agreement
from studies.analysis.figures import draw_forest
from studies.analysis.plot_items import PlotItem, load_plot_items
from studies.forms.analysis.scatter import FigureForm, ForestForm, PlotItemsForm
from studies.models import Study
from studies.views.analysis.figures import find_shown_scatter
from studies.views.fetch import fetch_study


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def send_forest(request: HttpRequest, name: str) -> JsonResponse:
    """Return the forest plot of the overview, as a Vega specification."""
    study = fetch_study(request, name)
    form = ForestForm(request.GET)
    report = find_agreement(study, StudyInputs(study), now=timezone.now()).report
    if report is None or not form.is_valid():
        raise Http404(f"study {study.name} has no such plot")
    figure = draw_forest(replace(report, title=""), size=form.cleaned_data["size"] or "wide")
    return JsonResponse(compile_figure(figure))


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def send_scatter(request: HttpRequest, name: str) -> JsonResponse:
    """Return the scatter plot of the overview, as a Vega specification with the first items of each circle."""
    study = fetch_study(request, name)
    form = FigureForm(request.GET)
    shown = find_shown_scatter(study, form.cleaned_data["metric"]) if form.is_valid() else None
    if shown is None or shown.made is None:
        raise Http404(f"study {study.name} has no such plot")
    return JsonResponse(compile_figure(shown.made.pictures[form.cleaned_data["size"] or "wide"]))


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def send_items(request: HttpRequest, name: str) -> JsonResponse:
    """Return what to show of a few items."""
    study = fetch_study(request, name)
    form = PlotItemsForm(request.GET)
    if not form.is_valid():
        raise Http404(f"invalid items: {form.errors.as_text()}")
    found = load_plot_items(study, form.cleaned_data["item"])
    return JsonResponse({"items": [_describe(study, each) for each in found]})


def _describe(study: Study, shown: PlotItem) -> dict[str, Any]:
    item = shown.item
    return {
        "key": item.key,
        "image": reverse("studies:thumbnail", args=[study.name, item.image_id]) if item.image.file else "",
        "image_key": item.image.key,
        "captions": [{"system": each.system.name, "text": each.text} for each in shown.captions],
        "judgments": [f"{value:g}" for value in shown.values],
        "mean": shown.mean,
        "page": reverse("studies:item", args=[study.name, item.pk]),
    }

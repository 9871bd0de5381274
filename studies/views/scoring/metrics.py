"""One installed metric: its declaration and its conformance."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from metrics_plugins.api.errors import UnknownMetric
from metrics_plugins.runtime.sandbox import CatalogEntry
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.plugins.conformance import find_conformance, request_check
from studies.scoring.plugins.installed import describe_metric
from studies.scoring.run_lists import find_signature


@login_required
@require_safe
def show_metric(request: HttpRequest, metric: str) -> HttpResponse:
    entry = fetch_metric(metric)
    conformance = find_conformance(entry)
    context = {
        "metric": describe_metric(entry),
        "module": entry.module,
        "section": "metrics",
        "conformance": conformance,
        "signature": (conformance and conformance.signature) or find_signature(entry),
    }
    return render(request, "studies/metric.html", context)


@login_required
@require_POST
def check_installed_metric(request: HttpRequest, metric: str) -> HttpResponse:
    request_check(fetch_metric(metric), now=timezone.now())
    messages.success(request, "The checks have been started.")
    return redirect("studies:metric", metric)


def fetch_metric(metric: str) -> CatalogEntry:
    """Return an installed metric, or answer 404."""
    try:
        return load_catalog().get(metric)
    except UnknownMetric as error:
        raise Http404(str(error)) from error

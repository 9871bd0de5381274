"""One installed metric: its card, its declaration, its conformance, and the score of a caption that one types in."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_POST

from metrics_plugins.api.errors import UnknownMetric
from metrics_plugins.runtime.checks import advise
from metrics_plugins.runtime.sandbox import CatalogEntry
from studies.access.limits import TRIALS, count_attempt
from studies.forms.metrics import TryMetricForm
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.plugins.conformance import find_conformance, request_check
from studies.scoring.plugins.installed import describe_metric
from studies.scoring.plugins.published import find_agreement
from studies.scoring.plugins.trying import NotTried, explain_untried, try_metric, write_command
from studies.scoring.run_lists import find_signature


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_metric(request: HttpRequest, metric: str) -> HttpResponse:
    """Show a metric; a POST request adds the score of what was typed, which is not stored."""
    entry = fetch_metric(metric)
    if request.method != "POST":
        return _render(request, entry, form=TryMetricForm(info=entry.info))
    response = _score_typed(request, entry)
    add_never_cache_headers(response)
    return response


@login_required
@require_POST
def check_installed_metric(request: HttpRequest, metric: str) -> HttpResponse:
    request_check(fetch_metric(metric), now=timezone.now(), by=request.user.pk)
    messages.success(request, "The checks have been started.")
    return redirect("studies:metric", metric)


def fetch_metric(metric: str) -> CatalogEntry:
    """Return an installed metric, or answer 404."""
    try:
        return load_catalog().get(metric)
    except UnknownMetric as error:
        raise Http404(str(error)) from error


def _score_typed(request: HttpRequest, entry: CatalogEntry) -> HttpResponse:
    form = TryMetricForm(request.POST, info=entry.info)
    if not form.is_valid():
        return _render(request, entry, form=form)
    most = settings.ACCORDANCE_METRIC_TRIALS
    if not count_attempt(TRIALS, f"account/{request.user.pk}", most=most, now=timezone.now()):
        problem = f"At most {most} captions are scored in a minute: try again in a minute."
        response = _render(request, entry, form=form, status=429, problem=problem)
        response.headers["Retry-After"] = str(int(TRIALS.span.total_seconds()))
        return response
    typed = form.cleaned_data
    try:
        tried = try_metric(entry, captions=typed["captions"], references=typed.get("references", ()))
    except NotTried as error:
        return _render(request, entry, form=form, problem=f"No score was computed: {error}.")
    return _render(request, entry, form=form, tried=tried)


def _render(
    request: HttpRequest, entry: CatalogEntry, *, form: TryMetricForm, status: int = 200, **shown: Any
) -> HttpResponse:
    conformance = find_conformance(entry)
    context = {
        "metric": describe_metric(entry),
        "module": entry.module,
        "section": "metrics",
        "card": entry.info.card,
        "needs": entry.info.needs,
        "advice": advise(entry.info),
        "conformance": conformance,
        "check_seconds": settings.ACCORDANCE_METRIC_SECONDS,
        "signature": (conformance and conformance.signature) or find_signature(entry),
        "agreement": find_agreement(entry),
        "form": form,
        "untried": explain_untried(entry),
        "command": write_command(entry),
    }
    return render(request, "studies/metric.html", {**context, **shown}, status=status)

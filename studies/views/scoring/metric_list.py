"""The installed metric plugins."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from studies.forms.metrics import MetricFilterForm
from studies.scoring.plugins.catalog import find_loading
from studies.scoring.plugins.installed import list_plugins, select_metrics


@login_required
@require_safe
def show_metrics(request: HttpRequest) -> HttpResponse:
    plugins = list_plugins()
    metrics = select_metrics(plugins.metrics)
    form = MetricFilterForm(request.GET, metrics=metrics)
    chosen = select_metrics(metrics, **form.chosen)
    context = {"plugins": plugins, "metrics": chosen, "form": form, "section": "metrics", "loading": find_loading()}
    return render(request, "studies/metric_list.html", context)

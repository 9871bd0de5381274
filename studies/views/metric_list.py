"""The installed metric plugins."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from studies.domain.plugins import list_plugins


@login_required
@require_safe
def show_metrics(request: HttpRequest) -> HttpResponse:
    return render(request, "studies/metric_list.html", {"plugins": list_plugins()})

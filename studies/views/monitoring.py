"""The monitoring page of a study, the part of it that is reloaded repeatedly, and looks under its stopping rule."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from studies.models import Study
from studies.monitoring.live.charts import picture_completion, picture_hours
from studies.monitoring.live.jobs import find_counts, load_snapshot
from studies.monitoring.stopping_rules import CannotLook, describe_state, take_look
from studies.rules import ANALYSE_STUDY
from studies.views.fetch import fetch_analysable_study, fetch_study, who_and_when

PAGE = "studies:monitoring"


@login_required
@require_safe
@never_cache
def show_monitoring(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    return render(request, "studies/monitoring.html", _watch(request, study))


@login_required
@require_safe
@never_cache
def show_monitoring_now(request: HttpRequest, name: str) -> HttpResponse:
    """Show the part of the monitoring page that is reloaded."""
    return render(request, "studies/monitoring_now.html", _watch(request, fetch_study(request, name), is_poll=True))


@login_required
@require_POST
def look(request: HttpRequest, name: str) -> HttpResponse:
    """Take the look that is due under the stopping rule."""
    study = fetch_analysable_study(request, name)
    try:
        taken = take_look(study, user=request.user, **who_and_when(request))
    except CannotLook as error:
        messages.error(request, f"The interim look was not taken: {error}.")
    else:
        says = "stop" if taken.says_stop else "continue"
        messages.success(request, f"Look {taken.number}: {says}. {taken.reason}")
    return redirect(PAGE, name)


def _watch(request: HttpRequest, study: Study, *, is_poll: bool = False) -> dict[str, Any]:
    now, wait = timezone.now(), "wait" in request.GET
    context = {
        "study": study,
        "tab": PAGE,
        "watched": load_snapshot(study, now=now, wait=wait),
        "may_look": request.user.has_perm(ANALYSE_STUDY, study),
    }
    counts = find_counts(study, now=now, wait=wait, is_poll=is_poll)
    if counts is None:
        return context
    rule = counts.facts.design.stopping_rule
    return context | {
        "counts": counts,
        "hours": picture_hours(counts),
        "completion": picture_completion(counts),
        "stopping": describe_state(study, n_judgments=counts.n_judgments, n_planned=counts.n_planned, rule=rule)
        if rule
        else None,
    }

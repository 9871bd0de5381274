"""Runs of metrics on a study: requesting, watching, pausing, resuming and cancelling them; the study's metrics."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from correlation.errors import CorrelationInputError
from jobs.page_fragment import describe_job
from jobs.requests import find_job
from metrics_plugins.api import MetricError
from studies.access.visibility import visible_studies
from studies.design.preregistration.deviations import DeviationNotConfirmed
from studies.enums import RequestState
from studies.forms.runs import ParametersForm, RunForm, SwitchForm, select_metrics
from studies.models import ScoringRequest, Study
from studies.rules import ANALYSE_STUDY
from studies.scoring.metric_choices import list_choices, set_parameters, switch_metric
from studies.scoring.metric_files import find_roots
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.costs import find_overrun, list_costs
from studies.scoring.requested_runs.options import MetricOption, list_options
from studies.scoring.requested_runs.requests import (
    SCORE,
    UNDER_WAY,
    RequestRefused,
    cancel_request,
    list_training_studies,
    pause_request,
    request_scoring,
    resume_request,
)
from studies.scoring.run_lists import add_inputs, group_gaps, list_asked_metrics, list_requests, list_runs
from studies.views.fetch import fetch_analysable_study, fetch_study, who_and_when
from studies.views.scoring.metrics import fetch_metric

PER_PAGE: Final = 20
CHANGES: Final[dict[str, tuple[Callable[..., None], str]]] = {
    "pause": (pause_request, "The run has been paused."),
    "resume": (resume_request, "The run has been resumed."),
    "cancel": (cancel_request, "The run has been cancelled; finished scores are kept."),
}


@login_required
@require_safe
def show_runs(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    return _show(request, study, form=None)


@login_required
@require_POST
def start_run(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_analysable_study(request, name)
    catalog = load_catalog()
    options = list_options(study, catalog)
    if "select" in request.POST:
        return _show(request, study, form=_make_form(request, study, options, select_metrics(request.POST, options)))
    form = _make_form(request, study, options)
    if form.is_valid():
        try:
            started = request_scoring(
                study, catalog=catalog, confirmation=form.confirmation, **form.cleaned_data, **who_and_when(request)
            )
        except DeviationNotConfirmed as error:
            form.unconfirmed = error
        except (RequestRefused, MetricError, CorrelationInputError) as error:
            form.add_error(None, str(error))
        else:
            return redirect("studies:run", study.name, started.pk)
    return _show(request, study, form=form)


@login_required
@require_safe
def show_run(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    return _show_run(request, name, pk, template="studies/run.html")


@login_required
@require_safe
def show_run_progress(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """Show the part of a run's page that is reloaded."""
    return _show_run(request, name, pk, template="studies/run_progress.html")


def _show_run(request: HttpRequest, name: str, pk: int, *, template: str) -> HttpResponse:
    study = fetch_study(request, name)
    run = get_object_or_404(list_requests(study), pk=pk)
    metrics = list_asked_metrics(run)
    context = {
        "study": study,
        "run": run,
        "metrics": metrics,
        "gaps": group_gaps(metrics),
        "overrun": find_overrun(metrics),
        "may_analyse": request.user.has_perm(ANALYSE_STUDY, study),
        "is_moving": run.state in (RequestState.QUEUED, RequestState.RUNNING),
        "is_under_way": run.state in UNDER_WAY,
        "tab": "studies:runs",
    }
    job = find_job(SCORE, key=str(run.pk), under_way=True)
    if job:
        context["progress"] = describe_job(job, user=request.user, again=request.path, now=timezone.now())
    return render(request, template, context)


@login_required
@require_POST
def change_run(request: HttpRequest, name: str, pk: int, change: str) -> HttpResponse:
    study = fetch_analysable_study(request, name)
    run = get_object_or_404(ScoringRequest, pk=pk, study=study)
    if change not in CHANGES:
        raise Http404(change)
    call, done = CHANGES[change]
    try:
        call(run, **who_and_when(request))
    except RequestRefused as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        messages.success(request, done)
    return redirect("studies:run", study.name, run.pk)


@login_required
@require_POST
def switch_study_metric(request: HttpRequest, name: str, metric: str) -> HttpResponse:
    study, entry = fetch_analysable_study(request, name), fetch_metric(metric)
    form = SwitchForm(request.POST)
    if form.is_valid():
        enabled = form.cleaned_data["enabled"]
        made = {"confirmation": form.confirmation, **who_and_when(request)}
        try:
            switch_metric(study, metric=entry.info.id, enabled=enabled, **made)
        except DeviationNotConfirmed as error:
            form.unconfirmed = error
            return _show(request, study, form=None, switched=(entry.info.id, form))
        messages.success(request, f"{entry.info.id} has been {'enabled' if enabled else 'disabled'}.")
    return redirect("studies:runs", study.name)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def set_metric_parameters(request: HttpRequest, name: str, metric: str) -> HttpResponse:
    study, entry = fetch_analysable_study(request, name), fetch_metric(metric)
    choice = list_choices(study).get(entry.info.id)
    chosen, files = choice.params if choice else {}, find_roots(study.dataset)
    form = ParametersForm(request.POST or None, entry=entry, chosen=chosen, files=files)
    if request.method == "POST" and form.is_valid():
        made = {"confirmation": form.confirmation, **who_and_when(request)}
        try:
            set_parameters(study, entry=entry, params=form.params, **made)
        except DeviationNotConfirmed as error:
            form.unconfirmed = error
        else:
            messages.success(request, f"The next run of {entry.info.id} will use these parameters.")
            return redirect("studies:runs", study.name)
    context = {"study": study, "entry": entry, "form": form, "tab": "studies:runs"}
    return render(request, "studies/run_parameters.html", context, status=422 if form.unconfirmed else 200)


def _make_form(
    request: HttpRequest, study: Study, options: Sequence[MetricOption], initial: dict[str, Any] | None = None
) -> RunForm:
    """Return the form of a new run: with what was submitted, or with initial values."""
    return RunForm(
        request.POST if request.method == "POST" and initial is None else None,
        initial=initial,
        options=options,
        costs=list_costs(study, [option.entry for option in options if option.is_offered]),
        training_studies=list_training_studies(visible_studies(request.user), study),
    )


def _show(
    request: HttpRequest, study: Study, *, form: RunForm | None, switched: tuple[str, SwitchForm] | None = None
) -> HttpResponse:
    """Show the page, with an invalid form of a run or with the switch of a metric that is to be confirmed."""
    options = list_options(study, load_catalog())
    page = Paginator(list_runs(study.dataset), PER_PAGE).get_page(request.GET.get("scores"))
    context = {
        "study": study,
        "tab": "studies:runs",
        "form": form or _make_form(request, study, options, {} if switched else None),
        "switched": switched,
        "may_analyse": request.user.has_perm(ANALYSE_STUDY, study),
        "options": options,
        "are_chosen": any(not each.is_enabled or (each.choice and each.choice.params) for each in options),
        "requests": Paginator(list_requests(study), PER_PAGE).get_page(request.GET.get("runs")),
        "scores": page,
        "kept_runs": add_inputs(list(page.object_list), study.dataset),
    }
    return render(request, "studies/runs.html", context, status=422 if switched or (form and form.is_bound) else 200)

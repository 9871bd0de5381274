"""The page of a draft's simulation: request, progress, report, and turning it into a study to try the analysis."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from studies.design.study_facts import load_facts
from studies.enums import WorkState
from studies.forms.simulation import SimulationForm
from studies.models import Simulation, Study
from studies.simulation.jobs import ask_for_simulation
from studies.simulation.stored_reports import lay_out
from studies.simulation.trials import CannotSimulate, explain_refusal, find_newest, make_trial
from studies.views.fetch import fetch_changeable_study, who_and_when

PAGE = "studies:simulation"


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_simulation(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    form = SimulationForm(request.POST or None, design=load_facts(study).design)
    if request.method == "POST" and form.is_valid() and _ask(request, study, form):
        return redirect(PAGE, name)
    return _render(request, study, form)


@login_required
@require_safe
@never_cache
def show_progress(request: HttpRequest, name: str) -> HttpResponse:
    """Show the part that changes; once the simulation has ended, reload the page."""
    study = fetch_changeable_study(request, name)
    context = _describe(study)
    response = render(request, "studies/simulation_progress.html", context)
    if not context["is_waiting"]:
        response.headers["HX-Refresh"] = "true"
    return response


@login_required
@require_POST
def try_analysis(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    simulation = get_object_or_404(Simulation.objects.filter(study=study).defer("answers"), pk=pk)
    try:
        trial = make_trial(simulation, **who_and_when(request))
    except CannotSimulate as refusal:
        messages.error(request, str(refusal))
        return redirect(PAGE, name)
    messages.success(request, "Created a closed study from the simulated judgments. Run metrics to try the analysis.")
    return redirect("studies:runs", trial.name)


def _ask(request: HttpRequest, study: Study, form: SimulationForm) -> bool:
    try:
        simulation = ask_for_simulation(study, **form.cleaned_data, **who_and_when(request))
    except CannotSimulate as refusal:
        form.add_error(None, str(refusal))
        return False
    messages.success(request, f"Simulating {simulation.n_raters} raters. The results will appear here.")
    return True


def _render(request: HttpRequest, study: Study, form: SimulationForm) -> HttpResponse:
    context = {**_describe(study), "form": form, "refusal": explain_refusal(study)}
    return render(request, "studies/simulation.html", context, status=422 if form.errors else 200)


def _describe(study: Study) -> dict[str, Any]:
    newest = find_newest(study)
    is_waiting = newest is not None and newest.state in (WorkState.WAITING, WorkState.RUNNING)
    return {
        "study": study,
        "tab": "studies:design",
        "simulation": newest,
        "is_waiting": is_waiting,
        "report": lay_out(newest.report) if newest and newest.report else None,
    }

"""The planner: the number of images and raters that a study needs, and the cost."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from correlation.errors import CorrelationInputError
from studies.access.visibility import visible_studies
from studies.analysis.correlations import MissingScores
from studies.analysis.planning import StudyPlan, make_plan
from studies.enums import TaskKind
from studies.forms.analysis.planning import PlanForm, list_assumptions, say_plan
from studies.views.analysis.power_chart import draw_power
from studies.views.fetch import fetch_study

MOST_PILOTS = 200
_QUESTIONS = {TaskKind.PAIRWISE: "preference", TaskKind.SET_RATING: "system-difference"}


@login_required
@require_safe
def show_planner(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    pilots = visible_studies(request.user).exclude(started_at=None).order_by("title")[:MOST_PILOTS]
    is_asked = "what" in request.GET
    form = PlanForm(
        request.GET if is_asked else None,
        pilots=list(pilots),
        # A study with judgments is its own pilot.
        initial={"what": _QUESTIONS.get(study.kind, "metric-difference"), "pilot": study.name},
    )
    plan = _make(form) if is_asked and form.is_valid() else None
    context: dict[str, Any] = {"study": study, "tab": "studies:design", "form": form, "plan": plan}
    if plan is not None:
        context |= {"says": say_plan(plan), "assumptions": list_assumptions(plan), "chart": draw_power(plan.plan)}
    return render(request, "studies/planner.html", context, status=422 if form.errors else 200)


def _make(form: PlanForm) -> StudyPlan | None:
    try:
        return make_plan(form.cleaned_data["what"], **form.question)
    except (CorrelationInputError, MissingScores) as error:
        form.explain(error)
        return None

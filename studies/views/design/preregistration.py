"""Preregisters design, exclusion rules and plan before the first judgment, and shows deviations."""

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from studies.analysis.preregistration.deviations import list_study_deviations
from studies.design.preregistration.declaration import CannotPreregister, has_begun, preregister_study
from studies.design.preregistration.deviations import list_confirmed
from studies.forms.design.preregistration import PreregistrationForm, select_planned
from studies.models import Preregistration, Study
from studies.rules import CHANGE_STUDY
from studies.shared.content_types import send_file
from studies.views.fetch import fetch_changeable_study, fetch_study, who_and_when
from studies.views.refusals import refusals_to


@login_required
@require_safe
def show_preregistration(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    return _render(request, study, PreregistrationForm(study=study))


@login_required
@require_POST
def preregister(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    if "select" in request.POST:
        return _render(request, study, select_planned(request.POST, study))
    form = PreregistrationForm(request.POST, study=study)
    if not form.is_valid():
        return _render(request, study, form, status=422)
    with refusals_to(request, CannotPreregister):
        made = preregister_study(study, plan=form.plan, user=request.user, **who_and_when(request))
        messages.success(request, f"Created preregistration {made.number}.")
    return redirect("studies:preregistration", study.name)


@login_required
@require_safe
def download_preregistration(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Return the exact bytes of a preregistration, so that its digest can be checked."""
    study = fetch_study(request, name)
    kept = Preregistration.objects.filter(study=study, number=number).first()
    if kept is None:
        raise Http404(f"study {study.name} has no preregistration {number}")
    return send_file(kept.content.encode(), file_name=f"{study.name}-preregistration-{number}.json")


def _render(request: HttpRequest, study: Study, form: PreregistrationForm, *, status: int = 200) -> HttpResponse:
    kept = list(Preregistration.objects.filter(study=study).select_related("frozen_by").order_by("-number"))
    declared = json.loads(kept[0].content) if kept else None
    context: dict[str, Any] = {
        "study": study,
        "tab": "studies:design",
        "form": form,
        "may_change": request.user.has_perm(CHANGE_STUDY, study),
        "has_begun": has_begun(study),
        "preregistrations": kept,
        "declared": declared,
        "rules": [(name, value) for name, value in declared["design"]["exclusion_rules"].items() if value is not None]
        if declared
        else [],
        "deviations": list_study_deviations(study),
        "confirmed": list_confirmed(kept[0]) if kept else [],
    }
    return render(request, "studies/preregistration.html", context, status=status)

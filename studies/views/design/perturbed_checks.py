"""Adds checks with perturbed captions to a draft, on a page beside the step of checks."""

import numpy as np
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from studies.design.perturbed_checks import AddedChecks, CannotPerturb, add_perturbed_checks
from studies.design.preregistration.deviations import DeviationNotConfirmed
from studies.forms.design.perturbed_checks import PerturbedChecksForm
from studies.models import Study
from studies.views.fetch import fetch_managed_study, who_and_when


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def add_checks(request: HttpRequest, name: str) -> HttpResponse:
    """Show the form, or add the checks and go back to the step."""
    study = fetch_managed_study(request, name)
    form = PerturbedChecksForm(request.POST if request.method == "POST" else None)
    added = _add(request, study, form) if request.method == "POST" and form.is_valid() else None
    if added is None:
        status = 422 if request.method == "POST" else 200
        context = {"study": study, "tab": "studies:design", "form": form}
        return render(request, "studies/perturbed_checks.html", context, status=status)
    n_added = sum(added.n_checks.values())
    messages.success(request, f"Added {n_added} check{'s' if n_added != 1 else ''} with perturbed captions.")
    if not added.every:
        messages.warning(request, "Raters see no checks yet: set “Tasks between checks” below.")
    return redirect("studies:step", study.name, "checks")


def _add(request: HttpRequest, study: Study, form: PerturbedChecksForm) -> AddedChecks | None:
    given = form.cleaned_data
    try:
        return add_perturbed_checks(
            study,
            number=given["number"],
            distortions=given["distortions"],
            rng=np.random.default_rng(given["seed"] or 0),
            confirmation=form.confirmation,
            **who_and_when(request),
        )
    except DeviationNotConfirmed as error:
        form.unconfirmed = error
    except CannotPerturb as refusal:
        form.add_error(None, f"{refusal}.")
    return None

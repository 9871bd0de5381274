"""Makes a challenge, or a copy of one, in the browser."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from challenges.errors import ChallengeRefused
from challenges.forms.hosting import ChallengeForm, PhaseFormSet
from challenges.hosting.choices import list_datasets
from challenges.hosting.creation import make_challenge
from challenges.hosting.plans import ChallengePlan
from challenges.models import Challenge
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.schemas import read_value
from studies.views.fetch import who_and_when
from studies.views.refusals import refusals_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_challenge(request: HttpRequest) -> HttpResponse:
    given = request.POST if request.method == "POST" else None
    form, phases = ChallengeForm(given, user=request.user), PhaseFormSet(given, prefix="phases")
    is_valid = form.is_valid() and phases.is_valid() if given is not None else False
    if is_valid:
        with refusals_in(form, ChallengeRefused, ImportFailed, capital=True):
            challenge = _make(request, form.plan, [each.plan for each in phases if each.has_changed()])
            messages.success(request, "The challenge is a draft that only its hosts see. Open it when it is complete.")
            return redirect("challenges:host", challenge.slug)
    context = {
        "form": form,
        "phases": phases,
        "has_errors": given is not None,
        "has_datasets": list_datasets(request.user).exists(),
        "section": "challenges",
    }
    return render(request, "challenges/new_challenge.html", context, status=200 if given is None else 422)


def _make(request: HttpRequest, challenge: dict[str, Any], phases: list[dict[str, Any]]) -> Challenge:
    # Read as a plan from a file is, so that both have the same rules.
    plan = read_value(ChallengePlan, {**challenge, "phases": phases}, SourceLocation("the challenge"))
    return make_challenge(plan, owner=request.user, **who_and_when(request))

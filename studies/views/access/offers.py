"""Accepts and declines offers of studies to the user."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from studies.access.members import CannotChangeMembers
from studies.access.offers import decline_offer, list_offers
from studies.datasets.quotas import accept_within_quota
from studies.models import StudyOffer
from studies.shared.errors import ImportFailed
from studies.views.fetch import who_and_when


@login_required
@require_safe
def show_offers(request: HttpRequest) -> HttpResponse:
    return render(request, "studies/offers.html", {"offers": list_offers(request.user, now=timezone.now())})


@login_required
@require_POST
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        study = accept_within_quota(_fetch(request, pk), **who_and_when(request))
    except CannotChangeMembers as error:
        raise Http404(str(error)) from error
    except ImportFailed as refusal:
        messages.error(request, f"{refusal}.")
        return redirect("studies:offers")
    messages.success(request, "You now own the study.")
    return redirect("studies:people", study.name)


@login_required
@require_POST
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        decline_offer(_fetch(request, pk), **who_and_when(request))
    except CannotChangeMembers as error:
        raise Http404(str(error)) from error
    messages.success(request, "You declined the study.")
    return redirect("studies:offers")


def _fetch(request: HttpRequest, pk: int) -> StudyOffer:
    return get_object_or_404(list_offers(request.user, now=timezone.now()), pk=pk)

"""The operator's page for requests for access and erasure, for superusers only."""

from collections.abc import Callable
from functools import wraps
from secrets import SystemRandom
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from studies.collection.privacy.erasure_log import LogUnwritable
from studies.collection.privacy.person_requests import erase_person, find_person
from studies.enums import AuditAction
from studies.forms.access.person_requests import ErasureForm, PersonForm
from studies.views.fetch import who_and_when


def for_operators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Call the view for a superuser; 403 for every other account. Posted values are omitted from error reports."""

    @wraps(view)
    @login_required
    @never_cache
    @sensitive_post_parameters()
    def answer(request: HttpRequest) -> HttpResponse:
        if not request.user.is_superuser:
            raise PermissionDenied("Only an operator (a superuser) may answer data requests.")
        return view(request)

    return answer


@require_safe
@for_operators
def show_requests(request: HttpRequest) -> HttpResponse:
    return _show(request, PersonForm())


@require_POST
@for_operators
def find_by_id(request: HttpRequest) -> HttpResponse:
    form = PersonForm(request.POST)
    if not form.is_valid():
        return _show(request, form, status=422)
    return _show_found(request, form, ErasureForm(initial=form.cleaned_data))


@require_POST
@for_operators
def export_by_id(request: HttpRequest) -> HttpResponse:
    form = PersonForm(request.POST)
    if not form.is_valid():
        return _show(request, form, status=422)
    found = find_person(form.read_participant(), action=AuditAction.PERSON_EXPORTED, **who_and_when(request))
    if found is None:
        return _show(request, form, nobody=True, status=404)
    # The file name does not identify the person.
    headers = {"Content-Disposition": 'attachment; filename="stored.json"'}
    return JsonResponse(found.to_json(), headers=headers, json_dumps_params={"indent": 2, "ensure_ascii": False})


@require_POST
@for_operators
def erase_by_id(request: HttpRequest) -> HttpResponse:
    form = ErasureForm(request.POST)
    if not form.is_valid():
        given = PersonForm(request.POST)
        return _show_found(request, given, form, status=422) if given.is_valid() else _show(request, given, status=422)
    try:
        receipts = erase_person(
            form.read_participant(),
            erase_judgments=form.cleaned_data["answers"] == "erase",
            rng=SystemRandom(),
            **who_and_when(request),
        )
    except LogUnwritable as refusal:
        form.add_error(None, f"{refusal}.".capitalize())
        given = PersonForm(request.POST)
        given.is_valid()
        return _show_found(request, given, form, status=503)
    return _show(request, PersonForm(), erased=True, receipts=receipts)


def _show_found(request: HttpRequest, form: PersonForm, erasure: ErasureForm, *, status: int = 200) -> HttpResponse:
    found = find_person(form.read_participant(), action=AuditAction.PERSON_SOUGHT, **who_and_when(request))
    return _show(request, form, found=found, nobody=found is None, erasure=erasure, status=status)


def _show(request: HttpRequest, form: PersonForm, *, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "studies/person_requests.html", {"form": form, **context}, status=status)

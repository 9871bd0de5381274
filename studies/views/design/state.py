"""Opens and closes a study."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from studies.collection.lifecycle import CannotChangeState, close_study, open_study
from studies.views.fetch import fetch_changeable_study, who_and_when
from studies.views.study import OPENED


@login_required
@require_POST
def open_for_raters(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    change = partial(open_study, study, **who_and_when(request))
    return _change(request, name, change, done="The study is open. Send its link to raters.", then=OPENED)


@login_required
@require_POST
def close_for_raters(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    change = partial(close_study, study, **who_and_when(request))
    return _change(request, name, change, done="The study is closed.")


def _change(request: HttpRequest, name: str, change: Callable[[], None], *, done: str, then: str = "") -> HttpResponse:
    try:
        change()
    except CannotChangeState as error:
        messages.error(request, f"{error}.")
        return redirect("studies:study", name)
    messages.success(request, done)
    address = reverse("studies:study", args=[name])
    return redirect(f"{address}?{then}=1" if then else address)

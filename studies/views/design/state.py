"""Opens and closes a study."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from studies.collection.lifecycle import CannotChangeState, close_study, open_study
from studies.views.fetch import fetch_changeable_study, make_actor


@login_required
@require_POST
def open_for_raters(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    change = partial(open_study, study, now=timezone.now(), actor=make_actor(request))
    return _change(request, name, change, done="The study is open.")


@login_required
@require_POST
def close_for_raters(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    change = partial(close_study, study, now=timezone.now(), actor=make_actor(request))
    return _change(request, name, change, done="The study is closed.")


def _change(request: HttpRequest, name: str, change: Callable[[], None], *, done: str) -> HttpResponse:
    try:
        change()
    except CannotChangeState as error:
        messages.error(request, f"{error}.")
    else:
        messages.success(request, done)
    return redirect("studies:study", name)

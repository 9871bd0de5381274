"""The page of the user's account, for changes of password, addresses, sessions and second factor."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studies.access.limits import MAILS, count_attempt, read_network
from studies.views.access.too_often import answer_too_often


@login_required
@require_safe
@never_cache
def show_account(request: HttpRequest) -> HttpResponse:
    has = {name: apps.is_installed(f"allauth.{name}") for name in ("mfa", "socialaccount")}
    return render(request, "studies/account.html", {"has": has})


def with_mail(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer, if the site sends no mail, that the operator manages passwords and addresses."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.HAS_MAIL:
            return render(request, "studies/no_mail.html", status=404)
        return view(request, *args, **kwargs)

    return answer


def limit_mails(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limit mails requested by one network in a quarter of an hour to the number allowed for wrong passwords."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        who, most = read_network(request.META), settings.ACCORDANCE_FAILED_LOGINS
        if request.method == "POST" and not count_attempt(MAILS, who, most=most, now=timezone.now()):
            return answer_too_often(request)
        return view(request, *args, **kwargs)

    return answer

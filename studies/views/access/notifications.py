"""The notifications of an account: mails and a webhook for what happens in its studies."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from studies.collaboration.mailing import choose_mail, find_address, wants_mail
from studies.forms.access.webhook import WebhookForm
from studies.models import AccountWebhook
from studies.views.fetch import who_and_when
from studies.views.webhook_form import remove_webhook_of, save_webhook_form
from studies.webhooks.policy import read_policy


@login_required
@require_safe
@never_cache
def show_notifications(request: HttpRequest) -> HttpResponse:
    return _show(request)


@login_required
@require_POST
def switch_mail(request: HttpRequest) -> HttpResponse:
    wants = request.POST.get("wants") == "yes"
    choose_mail(wants=wants, site=request.build_absolute_uri("/"), **who_and_when(request))
    messages.success(request, "You will get mails." if wants else "You will get no more mails.")
    return redirect("account_notifications")


@login_required
@require_POST
@never_cache
def save_webhook(request: HttpRequest) -> HttpResponse:
    return save_webhook_form(request, AccountWebhook, show=partial(_show, request), user=request.user)


@login_required
@require_POST
def delete_webhook(request: HttpRequest) -> HttpResponse:
    remove_webhook_of(request, AccountWebhook, user=request.user)
    return redirect("account_notifications")


def _show(request: HttpRequest, *, status: int = 200, **extra: Any) -> HttpResponse:
    context = {
        "wants_mail": wants_mail(request.user),
        "address": find_address(request.user),
        "webhook": AccountWebhook.objects.filter(user=request.user).first(),
        "webhook_form": WebhookForm(),
        "webhook_urls": {each: reverse(f"account_webhook_{each}") for each in ("save", "remove")},
        "has_webhooks": read_policy().is_enabled,
        **extra,
    }
    return render(request, "studies/notifications.html", context, status=status)

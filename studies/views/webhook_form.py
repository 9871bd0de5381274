"""Saves and removes a webhook, for the pages of accounts and of teams."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst

from studies.forms.access.webhook import WebhookForm
from studies.models.webhook import Webhook
from studies.views.fetch import who_and_when
from studies.webhooks.delivering import remove_webhook, set_webhook
from studies.webhooks.policy import WebhookRefused


def save_webhook_form(
    request: HttpRequest, model: type[Webhook], *, show: Callable[..., HttpResponse], **owner: object
) -> HttpResponse:
    """Set the webhook of an owner as the form says.

    Args:
        request: With the form.
        model, owner: As for `set_webhook`.
        show: Renders the page with `status` and either the new `webhook_secret` or the refused `webhook_form`.
    """
    form = WebhookForm(request.POST)
    if form.is_valid():
        site = request.build_absolute_uri("/")
        try:
            secret = set_webhook(model, url=form.cleaned_data["url"], site=site, **owner, **who_and_when(request))
        except WebhookRefused as refusal:
            form.add_error("url", f"{capfirst(str(refusal))}.")
        else:
            # Shown without a redirect, which would require storing the secret.
            return show(status=201, webhook_secret=secret)
    return show(status=422, webhook_form=form)


def remove_webhook_of(request: HttpRequest, model: type[Webhook], **owner: object) -> None:
    """Remove the webhook of an owner, and say so on the next page."""
    remove_webhook(model, **owner, **who_and_when(request))
    messages.success(request, "The webhook has been removed.")

"""The webhook of an account: signed messages on what happens in its studies."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from studies.access.visibility import visible_studies
from studies.models import AccountWebhook, Study
from studies.webhooks.delivering import make_webhook_kind, queue_message


def _may_be_told(webhook: AccountWebhook, unsent: Mapping[str, Any]) -> bool:
    """Return whether the account may still see the study, which it may have left while the message waited."""
    return visible_studies(webhook.user).filter(pk=unsent["study"]).exists()


SEND_ACCOUNT_WEBHOOK: Final = make_webhook_kind(
    AccountWebhook, name="account-webhook", title="Telling a program what happened in a study", may_be_told=_may_be_told
)


def queue_webhooks(
    people: QuerySet[Any], study: Study, *, event: str, key: str, page: str, data: Mapping[str, Any], now: datetime
) -> None:
    """Queue a message to the webhook of each of these people who has one; `page` is a path of this site."""
    for webhook in AccountWebhook.objects.filter(user__in=people):
        told = {**data, "page": f"{webhook.site}{page}"}
        unsent = {"study": study.pk}
        queue_message(SEND_ACCOUNT_WEBHOOK, webhook, event=event, key=key, data=told, now=now, unsent=unsent)

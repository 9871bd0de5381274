"""Delivers the messages of webhooks by jobs, which try again, and stores the last outcome for the owner."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from jobs.errors import TryAgain, WorkFailed
from jobs.registry import Kind, register
from jobs.requests import queue_once
from jobs.running_job import JobHandle
from studies.access.encryption import UnreadableSecret, decrypt_secret, encrypt_secret
from studies.models.webhook import Webhook
from studies.webhooks.policy import WebhookRefused, check_url, read_policy
from studies.webhooks.sending import NotDelivered, post
from studies.webhooks.signing import make_secret, sign

LANE: Final = "webhooks"
WAITS: Final = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=8),
)
"""The time from each try to the next."""
_SECONDS: Final = 60.0
_PURPOSE: Final = b"webhook"


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """The fields of a new webhook, and its secret, which is shown once."""

    fields: Mapping[str, Any]
    secret: str


def prepare_webhook(url: str, *, site: str, now: datetime) -> NewWebhook:
    """Return the fields of a new webhook, whose last outcome is empty.

    Args:
        url: Where its messages go.
        site: The address of this site as its owner sees it, for links in messages.
        now: When.

    Raises:
        WebhookRefused: The operator does not allow the URL.
    """
    check_url(url, policy=read_policy())
    secret = make_secret()
    fields = {
        "url": url,
        "site": site.rstrip("/"),
        "encrypted_secret": encrypt_secret(secret, purpose=_PURPOSE),
        "made_at": now,
        "last_tried_at": None,
        "last_outcome": "",
        "is_delivered": False,
    }
    return NewWebhook(fields, secret)


def make_webhook_kind(model: type[Webhook], *, name: str, title: str) -> Kind:
    """Register and return the kind of the jobs that deliver the messages of a model's webhooks."""

    def work(handle: JobHandle) -> None:
        webhook = model._default_manager.filter(pk=handle.payload["webhook"]).first()
        if webhook is None or not webhook.is_active:
            raise WorkFailed("the webhook was removed")
        deliver(webhook, body=_write(handle.payload), message=f"msg_{handle.job.token}", now=handle.now())

    def work_or_wait(handle: JobHandle) -> None:
        try:
            work(handle)
        except NotDelivered as error:
            wait = WAITS[min(handle.job.n_tries, len(WAITS)) - 1]
            raise TryAgain(str(error), after=wait) from error
        except (WebhookRefused, UnreadableSecret) as error:
            raise WorkFailed(str(error)) from error

    kind = Kind(
        name=name,
        title=title,
        lane=LANE,
        work=work_or_wait,
        seconds=_SECONDS,
        most_tries=len(WAITS) + 1,
        may_see=lambda user, _: bool(user.is_staff),
    )
    return register(kind)


def queue_message(
    kind: Kind, webhook: Webhook, *, event: str, key: str, data: Mapping[str, Any], now: datetime
) -> None:
    """Queue a message of a webhook, in the transaction of what it is about.

    Args:
        kind: That of the webhook's model.
        webhook: Where it goes.
        event: What happened, such as `submission.ended`.
        key: Of what: a message of the same webhook and key that waits is not queued again.
        data: What the receiver is told, as JSON.
        now: When it happened.
    """
    payload = {"webhook": webhook.pk, "type": event, "timestamp": now.isoformat(), "data": dict(data)}
    queue_once(kind, key=f"{webhook.pk}:{key}", payload=payload, now=now)


def deliver(webhook: Webhook, *, body: bytes, message: str, now: datetime) -> None:
    """Send a message once, and store the outcome unless the webhook was changed meanwhile.

    Raises:
        WebhookRefused: The operator does not allow its URL any more.
        NotDelivered: It did not arrive.
        UnreadableSecret: The site has lost the key of its secret.
    """
    outcome, is_delivered = "not delivered: unexpected error", False
    try:
        secret = decrypt_secret(webhook.encrypted_secret, purpose=_PURPOSE)
        headers = {"Content-Type": "application/json", **sign(body, secret=secret, message=message, now=now)}
        status = post(webhook.url, body=body, headers=headers, policy=read_policy())
        outcome, is_delivered = f"delivered: the host answered with status {status}", True
    except (WebhookRefused, NotDelivered, UnreadableSecret) as error:
        outcome = f"not delivered: {error}"
        raise
    finally:
        same = type(webhook)._default_manager.filter(pk=webhook.pk, encrypted_secret=webhook.encrypted_secret)
        same.update(last_tried_at=now, last_outcome=outcome[:200], is_delivered=is_delivered)


def _write(payload: Mapping[str, Any]) -> bytes:
    told = {name: payload[name] for name in ("type", "timestamp", "data")}
    return json.dumps(told, separators=(",", ":")).encode()

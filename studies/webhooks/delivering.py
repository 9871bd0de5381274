"""Delivers the messages of webhooks by jobs, which try again, and stores the last outcome for the owner."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction

from jobs.errors import TryAgain, WorkFailed
from jobs.registry import Kind, register
from jobs.requests import queue_once
from jobs.running_job import JobHandle
from studies.access.audit import Actor, record_event
from studies.access.encryption import UnreadableSecret, decrypt_secret, encrypt_secret
from studies.enums import AuditAction
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


@transaction.atomic
def set_webhook(model: type[Webhook], *, url: str, site: str, actor: Actor, now: datetime, **owner: Any) -> str:
    """Set or replace the webhook of an owner, and return its secret, which is not shown again.

    The audit log keeps the host alone, as the path of a URL is often a secret.

    Args:
        model: The model of such webhooks.
        url: Where messages go.
        site: The address of this site as the owner sees it, for links in messages.
        actor: Who sets it.
        owner: The field of the model that names the owner, such as `user=user`.

    Raises:
        WebhookRefused: The operator does not allow the URL.
    """
    target = check_url(url, policy=read_policy())
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
    model._default_manager.update_or_create(**owner, defaults=fields)
    details = {"what": str(model._meta.verbose_name), "host": target.host}
    record_event(actor=actor, action=AuditAction.WEBHOOK_SET, now=now, details=details)
    return secret


@transaction.atomic
def remove_webhook(model: type[Webhook], *, actor: Actor, now: datetime, **owner: Any) -> bool:
    """Remove the webhook of an owner, and return whether there was one; messages that wait are not sent."""
    if not model._default_manager.filter(**owner).delete()[0]:
        return False
    details = {"what": str(model._meta.verbose_name)}
    record_event(actor=actor, action=AuditAction.WEBHOOK_REMOVED, now=now, details=details)
    return True


def make_webhook_kind(
    model: type[Webhook],
    *,
    name: str,
    title: str,
    may_be_told: Callable[[Any, Mapping[str, Any]], bool] = lambda webhook, unsent: True,  # noqa: ARG005
) -> Kind:
    """Register and return the kind of the jobs that deliver the messages of a model's webhooks.

    Args:
        model: The model of such webhooks.
        name, title: Those of the kind.
        may_be_told: Whether a webhook may still get a message when it is sent, by what `queue_message` kept unsent.
    """

    def work(handle: JobHandle) -> None:
        webhook = model._default_manager.filter(pk=handle.payload["webhook"]).first()
        if webhook is None or not webhook.is_active:
            raise WorkFailed("the webhook was removed")
        if not may_be_told(webhook, handle.payload["unsent"]):
            raise WorkFailed("the owner of the webhook may not be told of this any more")
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
    kind: Kind,
    webhook: Webhook,
    *,
    event: str,
    key: str,
    data: Mapping[str, Any],
    now: datetime,
    unsent: Mapping[str, Any] | None = None,
) -> None:
    """Queue a message of a webhook, in the transaction of what it is about.

    Args:
        kind: That of the webhook's model.
        webhook: Where it goes.
        event: What happened, such as `submission.ended`.
        key: Of what: a message of the same webhook and key that waits is not queued again.
        data: What the receiver is told, as JSON.
        now: When it happened.
        unsent: What is kept with the message and not sent, for `may_be_told`.
    """
    payload = {
        "webhook": webhook.pk,
        "type": event,
        "timestamp": now.isoformat(),
        "data": dict(data),
        "unsent": dict(unsent or {}),
    }
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

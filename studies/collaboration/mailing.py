"""Mails on what happens in the studies of an account, to its confirmed address, if it has asked for them."""

from datetime import datetime
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from jobs.errors import TryAgain, WorkFailed
from jobs.registry import Kind, register
from jobs.requests import queue_once
from jobs.running_job import JobHandle
from studies.access.audit import Actor, record_event
from studies.access.visibility import visible_studies
from studies.enums import AuditAction
from studies.models import NotificationSettings, Study
from studies.webhooks.delivering import WAITS


def wants_mail(user: Any) -> bool:
    """Return whether an account has asked for mails."""
    return NotificationSettings.objects.filter(user=user, wants_mail=True).exists()


def find_address(user: Any) -> str:
    """Return the confirmed main address of an account; empty if it has none."""
    found = EmailAddress.objects.filter(user=user, verified=True, primary=True)
    return found.values_list("email", flat=True).first() or ""


@transaction.atomic
def choose_mail(*, wants: bool, site: str, actor: Actor, now: datetime) -> None:
    """Turn the mails of the account that acts on or off; `site` is the address of this site as its owner sees it."""
    chosen = {"wants_mail": wants, "site": site.rstrip("/")}
    NotificationSettings.objects.update_or_create(user=actor.user, defaults=chosen)
    record_event(actor=actor, action=AuditAction.MAILS_SWITCHED, now=now, details={"wants_mail": wants})


def queue_mails(people: QuerySet[Any], study: Study, *, subject: str, key: str, page: str, now: datetime) -> None:
    """Queue a mail to each of these people who wants it, in the transaction of what it is about.

    Args:
        people: Accounts.
        subject: What happened, in a few words after the title of the study.
        key: Of what: a mail to the same account with the same key that waits is not queued again.
        page: The path of the page that shows it.
        now: When it happened.
    """
    if not settings.HAS_MAIL:
        return
    for each in NotificationSettings.objects.filter(user__in=people, wants_mail=True):
        payload = {"settings": each.pk, "study": study.pk, "subject": subject, "page": page}
        queue_once(SEND_MAIL, key=f"{each.pk}:{key}", payload=payload, now=now)


def _work(handle: JobHandle) -> None:
    asked = NotificationSettings.objects.select_related("user").filter(pk=handle.payload["settings"]).first()
    if asked is None or not asked.wants_mail or not settings.HAS_MAIL:
        raise WorkFailed("the mail is not wanted any more")
    # Whoever has left the study meanwhile is told nothing of it.
    study = visible_studies(asked.user).filter(pk=handle.payload["study"]).first()
    address = find_address(asked.user)
    if study is None or not address:
        raise WorkFailed("the account has no confirmed address or does not belong to the study any more")
    try:
        _send(address, asked, study=study, subject=handle.payload["subject"], page=handle.payload["page"])
    except OSError as error:
        wait = WAITS[min(handle.job.n_tries, len(WAITS)) - 1]
        raise TryAgain("the mail server did not take the mail", after=wait) from error


def _send(address: str, asked: NotificationSettings, *, study: Study, subject: str, page: str) -> None:
    lines = [
        f"Study: {study.title}",
        f"{subject[:1].upper()}{subject[1:]}.",
        "",
        f"{asked.site}{page}",
        "",
        "You get this mail because you turned mails on. Turn them off at",
        f"{asked.site}{reverse('account_notifications')}",
    ]
    # A title may have line breaks, which a subject may not.
    line = " ".join(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{study.title}: {subject}".split())
    send_mail(line, "\n".join(lines), None, [address])


SEND_MAIL: Final = register(
    Kind(
        name="notification-mail",
        title="Sending a mail on what happened in a study",
        lane="mails",
        work=_work,
        seconds=60.0,
        most_tries=len(WAITS) + 1,
        may_see=lambda user, _: bool(user.is_staff),
    )
)

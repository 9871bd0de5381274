"""Accounts that want to be notified, and what they are told."""

import json

from allauth.account.models import EmailAddress
from django.core import mail

from jobs.worker.running import run_waiting_jobs
from studies.access.audit import Actor
from studies.collaboration.mailing import choose_mail
from studies.enums import Interface
from studies.models import AccountWebhook
from studies.webhooks.delivering import set_webhook
from tests.factories.studies import NOW

SITE = "https://site.example/"


def ask_for_mail(user):
    """Let an account ask for mails, at an address of its name."""
    EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True, primary=True)
    choose_mail(wants=True, site=SITE, actor=Actor(user, Interface.PAGE), now=NOW)


def ask_for_messages(user, receiver):
    """Let an account set a webhook, and return its secret."""
    actor = Actor(user, Interface.PAGE)
    return set_webhook(AccountWebhook, user=user, url=receiver.url, site=SITE, actor=actor, now=NOW)


def read_mails():
    """Send the mails that wait, and return address and subject of each one sent so far."""
    run_waiting_jobs(now=lambda: NOW)
    return [(*each.to, each.subject) for each in mail.outbox]


def read_messages(receiver):
    """Send the messages that wait, and return those received so far."""
    run_waiting_jobs(now=lambda: NOW)
    return [json.loads(body) for *_, body in receiver.received]

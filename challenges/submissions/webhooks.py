"""Tells programs of members of a team that a submission has ended, by webhooks."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.urls import reverse

from challenges.models import Submission, TeamMember, TeamWebhook
from studies.webhooks.delivering import make_webhook_kind, prepare_webhook, queue_message

ENDED_EVENT: Final = "submission.ended"
SEND_TEAM_WEBHOOK: Final = make_webhook_kind(
    TeamWebhook, name="team-webhook", title="Telling a program that a submission has ended"
)


@transaction.atomic
def set_webhook(member: TeamMember, *, url: str, site: str, now: datetime) -> str:
    """Set or replace the webhook of a member, and return its secret, which is not shown again.

    Args:
        member: Whose it is.
        url: Where messages go.
        site: The address of this site as the member sees it.
        now: When.

    Raises:
        WebhookRefused: The operator does not allow the URL.
    """
    made = prepare_webhook(url, site=site, now=now)
    TeamWebhook.objects.update_or_create(member=member, defaults=dict(made.fields))
    return made.secret


def remove_webhook(member: TeamMember) -> None:
    """Remove the webhook of a member; messages that wait are not sent."""
    TeamWebhook.objects.filter(member=member).delete()


def queue_webhooks(submission: Submission, *, now: datetime) -> None:
    """Queue a message to each webhook of the team, in the transaction that ends a submission; it has no scores."""
    challenge, phase = submission.phase.challenge, submission.phase
    page = reverse("challenges:submission", args=[challenge.slug, submission.token])
    for webhook in TeamWebhook.objects.filter(member__team=submission.team_id, member__user__is_active=True):
        data = {
            "submission": submission.token,
            "challenge": challenge.slug,
            "phase": phase.slug,
            "state": submission.state,
            "page": f"{webhook.site}{page}",
        }
        queue_message(SEND_TEAM_WEBHOOK, webhook, event=ENDED_EVENT, key=submission.token, data=data, now=now)

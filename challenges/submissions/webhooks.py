"""Tells programs of members of a team that a submission has ended, by webhooks."""

from datetime import datetime
from typing import Final

from django.urls import reverse

from challenges.models import Submission, TeamWebhook
from studies.webhooks.delivering import make_webhook_kind, queue_message

ENDED_EVENT: Final = "submission.ended"
SEND_TEAM_WEBHOOK: Final = make_webhook_kind(
    TeamWebhook, name="team-webhook", title="Notifying a program that a submission has ended"
)


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

"""Tells members of a team by mail that a submission has ended, if they want it."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail

from challenges.models import Submission


def find_addresses(submission: Submission) -> list[str]:
    """Return the confirmed addresses of the members of the team who want mail; none on a server without mail."""
    if not settings.HAS_MAIL:
        return []
    found = EmailAddress.objects.filter(
        user__team_memberships__team=submission.team_id,
        user__team_memberships__wants_mail=True,
        user__is_active=True,
        verified=True,
        primary=True,
    )
    return list(found.order_by("pk").values_list("email", flat=True))


def mail_end(submission: Submission) -> None:
    """Send one mail to each member who wants it: how the submission ended, without its scores.

    Raises:
        OSError: The mail server does not answer or refuses the mail.
    """
    addresses = find_addresses(submission)
    if not addresses:
        return
    challenge = submission.phase.challenge
    state = submission.get_state_display().lower()
    lines = [
        f"Submission: {submission.name}",
        f"Team: {submission.team.name}",
        f"Challenge: {challenge.title}",
        f"Phase: {submission.phase.title}",
        f"State: {state}",
        "",
        "The page of your team shows the scores or errors. You can turn off these e-mails there.",
    ]
    # A title may have line breaks, which a subject may not.
    subject = " ".join(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{challenge.title}: submission {state}".split())
    for address in addresses:
        send_mail(subject, "\n".join(lines), None, [address])

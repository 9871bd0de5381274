"""Receivers of signals about accounts."""

import time
from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import password_reset
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone

from studies.access.accounts.attempts import forget_attempts
from studies.access.accounts.sessions import LAST_SEEN
from studies.access.audit import COMMAND_LINE
from studies.access.closing import close_access


@receiver(user_logged_in)
def begin_session(*, request: Any, **_: Any) -> None:
    """Store the time of the log-in together with it, so that the first page need not save the session again."""
    request.session[LAST_SEEN] = time.time()


@receiver(password_reset)
def believe_owner(*, user: Any, **_: Any) -> None:
    """Delete failed log-ins of this name and confirm the address, since a received mail has identified the owner."""
    forget_attempts(user.get_username())
    addresses = EmailAddress.objects.filter(user=user)
    # With several addresses it is unknown which one received the mail.
    if len(addresses) == 1 and not addresses[0].verified:
        addresses[0].set_verified()


@receiver(post_save, sender=settings.AUTH_USER_MODEL)
def end_access_of_closed(*, instance: Any, raw: bool, **_: Any) -> None:
    """End the access of an account when it is closed in any way; the admin has recorded the person responsible."""
    if not raw and not instance.is_active:
        close_access(instance, actor=COMMAND_LINE, now=timezone.now())

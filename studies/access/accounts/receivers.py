"""What follows from a change of an account."""

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
from studies.access.auditing import COMMAND_LINE
from studies.access.closing import close_access


@receiver(user_logged_in)
def begin_session(*, request: Any, **_: Any) -> None:
    """Note when it began together with the log-in, so that the first page need not write the session again."""
    request.session[LAST_SEEN] = time.time()


@receiver(password_reset)
def believe_owner(*, user: Any, **_: Any) -> None:
    """Let in whose name others had tried too often, and confirm the address: the mail has shown whose they are."""
    forget_attempts(user.get_username())
    addresses = EmailAddress.objects.filter(user=user)
    # Of several it is not known which one the mail went to.
    if len(addresses) == 1 and not addresses[0].verified:
        addresses[0].set_verified()


@receiver(post_save, sender=settings.AUTH_USER_MODEL)
def end_access_of_closed(*, instance: Any, raw: bool, **_: Any) -> None:
    """End what lets a closed account's owner in, however it is closed; the admin has said before who did it."""
    if not raw and not instance.is_active:
        close_access(instance, actor=COMMAND_LINE, now=timezone.now())

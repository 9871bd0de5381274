"""What follows from a change of an account."""

import time
from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import password_reset
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver

from studies.access.accounts.attempts import forget_attempts
from studies.access.accounts.sessions import LAST_SEEN


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

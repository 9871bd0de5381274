"""The second factor: codes have a limit that holds under concurrency and work once; secrets are encrypted."""

from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings as mfa_settings
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django.conf import settings
from django.utils import timezone

from studies.access.encryption import decrypt_secret, encrypt_secret
from studies.access.limits import CODES, USED_CODES, count_attempt, is_end_between

_PURPOSE: Final = b"second factor"


class SecondFactorAdapter(DefaultMFAAdapter):
    """Encrypts secrets with a key derived from SECRET_KEY, so that a copy of the database yields no codes."""

    def encrypt(self, text: str) -> str:
        return encrypt_secret(text, purpose=_PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt_secret(encrypted_text, purpose=_PURPOSE)


class _Limited:
    """Counts attempts in the database before checking codes, since a cache may lose entries or allow races."""

    user: Any

    def clean_code(self) -> str:
        who, now = str(self.user.pk), timezone.now()
        if not count_attempt(CODES, who, most=settings.ACCORDANCE_FAILED_LOGINS, now=now):
            raise get_account_adapter().validation_error("too_many_login_attempts")
        code: str = super().clean_code()  # type: ignore[misc]
        # Written with blanks or hyphens it is the same code.
        if not _count_use(f"{who}/{normalize_user_code(code)}", now=now):
            raise get_account_adapter().validation_error("incorrect_code")
        return code


def _count_use(code: str, *, now: datetime) -> bool:
    """Count the use of a code of a user; return whether it is the only one while the code is valid."""
    valid = timedelta(seconds=mfa_settings.TOTP_PERIOD * (2 * mfa_settings.TOTP_TOLERANCE + 1))
    # Counts start anew at the end of a span, which may come before that of the code.
    times = (now, now + valid) if is_end_between(USED_CODES, now, now + valid) else (now,)
    counted = [count_attempt(USED_CODES, code, most=1, now=each) for each in times]
    return all(counted)


class LimitedAuthenticateForm(_Limited, AuthenticateForm):
    """The form for the code at log-in."""


class LimitedReauthenticateForm(_Limited, ReauthenticateForm):
    """The form for the code before a change of the account."""

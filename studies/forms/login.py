"""Logging in, with a limit to how often one may fail."""

from typing import Any

from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils import timezone

from studies.domain.limiting import LOGINS, count_attempt, is_exhausted, read_address


class LimitedLogin:
    """Refuses to look at a password after too many wrong ones for a name from one address, in a quarter of an hour.

    Others may log in under that name from elsewhere, so that nobody can lock somebody out.
    """

    request: Any
    cleaned_data: dict[str, Any]

    def clean(self) -> dict[str, Any]:
        name = str(self.cleaned_data.get("username", "")).casefold()
        who, now = f"{name}/{read_address(self.request.META)}", timezone.now()
        most = settings.ACCORDANCE_FAILED_LOGINS
        if is_exhausted(LOGINS, who, most=most, now=now):
            minutes = int(LOGINS.span.total_seconds() / 60)
            raise ValidationError(
                f"There were too many attempts with a wrong password. Please try again in {minutes} minutes.",
                code="too_often",
            )
        try:
            cleaned: dict[str, Any] = super().clean()  # type: ignore[misc]
        except ValidationError:
            count_attempt(LOGINS, who, most=most, now=now)
            raise
        return cleaned


class LoginForm(LimitedLogin, AuthenticationForm):
    """The login of researchers."""


class AdminLoginForm(LimitedLogin, AdminAuthenticationForm):
    """The login of operators."""

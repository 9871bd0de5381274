"""Log-in by a password and any further steps of the account."""

from typing import Any, Final
from urllib.parse import urlencode

from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.models import EmailAddress
from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpResponse
from django.urls import reverse

KEPT: Final = "kept_form"
"""The field of the log-in page, and the key of the session, with a form that was sent without a session."""
MOST_CHARACTERS: Final = 200_000
"""The most characters of a form that is kept."""


class LogIn(LoginView):
    """Checks name and password, then continues with confirming the address and the second factor, if any."""

    def get_context_data(self, **given: Any) -> dict[str, Any]:
        return super().get_context_data(**given) | {
            "sign_on": self._find_sign_on(),
            "kept": self.request.POST.get(KEPT, ""),
        }

    def _find_sign_on(self) -> dict[str, str] | None:
        if not settings.ACCORDANCE_OIDC_SERVER:
            return None
        (provider,) = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
        goal = urlencode({"next": self.get_redirect_url()} if self.get_redirect_url() else {})
        address = reverse("openid_connect_login", args=[provider["provider_id"]])
        return {"name": provider["name"], "address": f"{address}?{goal}" if goal else address}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        # An account without address was created by an operator; one with an earlier log-in was confirmed or need not
        # be.
        is_new = settings.HAS_MAIL and user.last_login is None
        is_asked = is_new and EmailAddress.objects.filter(user=user).exists()
        asked = EmailVerificationMethod.MANDATORY if is_asked else EmailVerificationMethod.NONE
        response = perform_login(self.request, user, email_verification=asked, redirect_url=self.get_success_url())
        kept = self.request.POST.get(KEPT, "")
        if 0 < len(kept) <= MOST_CHARACTERS:
            self.request.session[KEPT] = kept
        return response

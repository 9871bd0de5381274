"""Single sign-on by OpenID Connect."""

from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class SignOnAdapter(DefaultSocialAccountAdapter):
    """Makes an account for whom the provider knows, where the operator wants that."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return bool(settings.ACCORDANCE_OIDC_SIGN_UP)

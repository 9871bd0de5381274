"""Single sign-on by OpenID Connect."""

from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class SignOnAdapter(DefaultSocialAccountAdapter):
    """Creates accounts for people authenticated by the provider, if the operator allows it."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return bool(settings.ACCORDANCE_OIDC_SIGN_UP)

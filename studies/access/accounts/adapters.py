"""The adapter for allauth."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest

from studies.access.accounts.attempts import read_client


class AccountAdapter(DefaultAccountAdapter):
    """Creates accounts by the site's own form, and identifies visitors by a keyed hash of their network."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        return read_client(request)

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        # The notification states the network of the client, so it is not created if no mail can be sent.
        if settings.HAS_MAIL:
            super().send_notification_mail(*args, **kwargs)

"""What allauth asks of this site."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest

from studies.access.accounts.attempts import read_client


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by our own form, and a visitor is known by a keyed hash of their network."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        return read_client(request)

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        # What is told of where a change came from would be the address of whoever made it.
        if settings.HAS_MAIL:
            super().send_notification_mail(*args, **kwargs)

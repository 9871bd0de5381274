"""Limits the requests of an account or token per minute."""

from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle

from studies.models import ApiToken


class PerMinute(UserRateThrottle):
    """`ACCORDANCE_API_PER_MINUTE` requests, 0 for no limit; anonymous requests are counted by address."""

    def get_rate(self) -> str | None:
        most = settings.ACCORDANCE_API_PER_MINUTE
        return f"{most}/minute" if most else None

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if isinstance(request.auth, ApiToken):
            return f"api:token:{request.auth.pk}"
        return super().get_cache_key(request, view)

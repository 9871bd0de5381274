"""Limits the requests of an account or token per minute."""

from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle

from studies.models import ApiToken

_SPAN: Final = 60


class PerMinute(UserRateThrottle):
    """`ACCORDANCE_API_PER_MINUTE` requests in a minute of the clock, 0 for no limit.

    Anonymous requests are counted by address. Each request adds one to a number in the cache, so that with Redis the
    limit holds over all servers.
    """

    def get_rate(self) -> str | None:
        most = settings.ACCORDANCE_API_PER_MINUTE
        return f"{most}/minute" if most else None

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if isinstance(request.auth, ApiToken):
            return f"api:token:{request.auth.pk}"
        return super().get_cache_key(request, view)

    def allow_request(self, request: Request, view: Any) -> bool:
        if self.rate is None:
            return True
        # The minute is part of the key: a number that expires while it is counted on would never expire again.
        key = f"{self.get_cache_key(request, view)}:{int(self.timer()) // _SPAN}"
        cache.add(key, 0, timeout=2 * _SPAN)
        try:
            return bool(cache.incr(key) <= self.num_requests)
        except ValueError:
            # The cache has dropped it.
            return True

    def wait(self) -> float:
        return _SPAN - self.timer() % _SPAN

"""The cache in Redis, for several servers; loaded only if `ACCORDANCE_REDIS` names one."""

from typing import Any, Final

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from studies.storage.outages import ServiceUnreachable

_SECONDS: Final = 3.0


class SharedCache(RedisCache):
    """Django's cache in Redis. Every method raises `ServiceUnreachable` if Redis does not answer or refuses.

    Values are not treated as missing then: pages would queue the same work again with every request.
    """

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client


class _Client(RedisCacheClient):
    def __init__(self, servers: Any, **options: Any) -> None:
        # One retry, for connections that the server has closed; the usual ones would hold a page for many seconds.
        given = {"socket_timeout": _SECONDS, "socket_connect_timeout": _SECONDS, "retry": Retry(NoBackoff(), 1)}
        super().__init__(servers, **given, **options)
        self._client = _TellingRedis


class _TellingRedis(Redis):
    def execute_command(self, *args: Any, **options: Any) -> Any:
        try:
            return super().execute_command(*args, **options)
        except RedisError as error:
            raise ServiceUnreachable(f"the Redis server of ACCORDANCE_REDIS cannot be used: {error}") from error

"""Limits wrong passwords per name and network in a quarter of an hour, over all server processes.

django-axes counts a failure after checking the password, so it checks as many passwords as there are concurrent
requests. Here an attempt is counted before its password is checked, and uncounted if the password is right.
"""

import ipaddress
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from axes.signals import user_locked_out
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, Sum
from django.http import HttpRequest
from django.utils import timezone

from studies.access.limits import LOG_INS, read_network, wait_for_turn
from studies.identity_keys import make_lookup_hash

SPAN: Final = timedelta(minutes=15)
_LONGEST_NAME: Final = 150


class ReservingHandler(AxesDatabaseHandler):
    """Counts failures by name and network (an IPv4 address, or the /64 of an IPv6 address): see `_list_limits`."""

    def is_locked(self, request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> bool:
        """Count an attempt and return whether it exceeds a limit, in which case it is uncounted.

        Attempts of one name and attempts of one network are counted one after the other. Of many concurrent ones,
        exactly as many as are left are let through.
        """
        attempt = _find_key(request, credentials)
        now = timezone.now()
        name, network = Q(username=attempt["username"]), Q(ip_address=attempt["ip_address"])
        with transaction.atomic():
            wait_for_turn(LOG_INS, (f"name/{attempt['username']}", f"network/{attempt['ip_address']}"), now=now)
            _reserve(attempt)
            sums = AccessAttempt.objects.filter(name | network, attempt_time__gt=now - SPAN).aggregate(
                **{
                    key: Sum("failures_since_start", filter=condition, default=0)
                    for key, condition in (("both", name & network), ("name", name), ("network", network))
                }
            )
            is_too_many = any(0 < most < sums[key] for key, most in _list_limits().items())
            if is_too_many:
                give_back(request, credentials)
        return is_too_many

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
    ) -> None:
        """Mark the request for the middleware as refused; the failure itself has been counted."""
        if request is not None and getattr(request, "axes_locked_out", False):
            request.axes_credentials = credentials
            found = _find_key(request, credentials)
            user_locked_out.send("axes", request=request, **found)

    def user_logged_in(self, sender: Any, request: HttpRequest, user: Any, **_: Any) -> None:
        """Do nothing: log-ins are recorded elsewhere."""

    def user_logged_out(self, sender: Any, request: HttpRequest, user: Any, **_: Any) -> None:
        """Do nothing: log-outs are recorded elsewhere."""


def read_client(request: HttpRequest) -> str:
    """Return the network of a request's client; the setting AXES_CLIENT_IP_CALLABLE names this function."""
    return hide_network(read_network(request.META))


def hide_network(network: str) -> str:
    """Return a keyed hash of a network as a private address (fd00::/8), so that no real address is stored."""
    digest = bytes.fromhex(make_lookup_hash("network", network))
    return str(ipaddress.IPv6Address(b"\xfd" + digest[:15]))


def give_back(request: HttpRequest, credentials: Mapping[str, Any] | None) -> None:
    """Uncount an attempt counted by `is_locked`: its password was right, or was not checked."""
    attempt = AccessAttempt.objects.filter(**_find_key(request, credentials), failures_since_start__gt=0)
    attempt.update(failures_since_start=F("failures_since_start") - 1)


def lift_limits(*, username: str = "", address: str = "") -> int:
    """Delete the failures of a name, of a network, or of a name from a network; return their number.

    Args:
        username: The name as typed to log in; empty for all names.
        address: An IPv4 or IPv6 address; the latter stands for its /64 network. Empty for all networks.

    Raises:
        ValueError: Neither is given, or the address is invalid.
    """
    if not (username or address):
        raise ValueError("give a user name, an address, or both, to clear failures for")
    attempts = AccessAttempt.objects.all()
    if username:
        attempts = attempts.filter(username=_normalise(username))
    if address:
        network = read_network({"REMOTE_ADDR": str(ipaddress.ip_address(address))})
        attempts = attempts.filter(ip_address=hide_network(network))
    n_failures = attempts.aggregate(n=Sum("failures_since_start", default=0))["n"]
    attempts.delete()
    return int(n_failures)


def forget_attempts(username: str) -> None:
    """Delete the failures of a name whose owner has been identified by other means."""
    AccessAttempt.objects.filter(username=_normalise(username)).delete()


def delete_old_attempts() -> None:
    """Delete attempts that are too old to count."""
    AccessAttempt.objects.filter(attempt_time__lte=timezone.now() - SPAN).delete()


def _list_limits() -> dict[str, int]:
    """Return the limits of failures of a name from a network, of a name from anywhere and of a network; 0 for none."""
    return {
        "both": settings.ACCORDANCE_FAILED_LOGINS,
        "name": settings.ACCORDANCE_FAILED_LOGINS_PER_NAME,
        "network": settings.ACCORDANCE_FAILED_LOGINS_PER_NETWORK,
    }


def _find_key(request: HttpRequest, credentials: Mapping[str, Any] | None) -> dict[str, str]:
    given = credentials or {}
    username = given.get("username") or given.get("email") or ""
    return {"username": _normalise(str(username)), "ip_address": read_client(request)}


def _normalise(username: str) -> str:
    return username.replace("\0", "").casefold()[:_LONGEST_NAME]


def _reserve(key: Mapping[str, str]) -> None:
    # The time of a row is that of its first failure, so delete expired rows before counting.
    delete_old_attempts()
    row = {**key, "user_agent": ""}
    nothing_else = dict.fromkeys(("get_data", "post_data", "http_accept", "path_info"), "")
    AccessAttempt.objects.get_or_create(**row, defaults={**nothing_else, "failures_since_start": 0})
    AccessAttempt.objects.filter(**row).update(failures_since_start=F("failures_since_start") + 1)

"""Which addresses of webhooks the operator allows."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from studies.shared.errors import Refusal

ANY_HOST: Final = "*"
LONGEST: Final = 500
_VISIBLE: Final = re.compile(r"[\x21-\x7e]+")
_NAME: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.(?!-)[a-z0-9_-]{1,63})*")


class WebhookRefused(Refusal):
    """A webhook has an address that is not allowed; the message says which rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the operator allows.

    Attributes:
        hosts: The names of hosts, or `ANY_HOST`; if empty, there are no webhooks.
        ports: The ports.
        is_lax: Whether addresses without TLS, and of this machine, are allowed as well: for tests only.
    """

    hosts: frozenset[str]
    ports: frozenset[int] = frozenset({443})
    is_lax: bool = False

    @property
    def is_enabled(self) -> bool:
        return bool(self.hosts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A checked address.

    Attributes:
        host: Its name in lower case, or an IP address without brackets.
        port: The port.
        path: The path with the query, as sent.
        has_tls: Whether it is reached by TLS.
    """

    host: str
    port: int
    path: str
    has_tls: bool


def read_policy() -> Policy:
    """Return the policy of the settings."""
    return Policy(
        hosts=frozenset(each.strip().lower().rstrip(".") for each in settings.ACCORDANCE_WEBHOOK_HOSTS if each.strip()),
        ports=frozenset(settings.ACCORDANCE_WEBHOOK_PORTS),
        is_lax=settings.ACCORDANCE_WEBHOOK_TESTING,
    )


def check_url(url: str, *, policy: Policy) -> Target:
    """Return what a URL points to.

    The name is not looked up here: `find_addresses` does that, and checks the result, each time that a message is sent.

    Raises:
        WebhookRefused: Webhooks are off, the URL is malformed, or the policy forbids its scheme, host or port.
    """
    if not policy.is_enabled:
        raise WebhookRefused("webhooks are turned off on this site")
    # Before parsing, which drops line breaks and tabs without a word.
    if len(url) > LONGEST or not _VISIBLE.fullmatch(url) or "\\" in url:
        raise WebhookRefused(
            f"the URL must have at most {LONGEST} ASCII characters, without spaces and backslashes; "
            "write international names in their ASCII form (xn--)"
        )
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        raise WebhookRefused(f"the URL is malformed: {error}") from error
    _check_parts(parts, policy=policy)
    _check_host(host, policy=policy)
    has_tls = parts.scheme == "https"
    chosen = (443 if has_tls else 80) if port is None else port
    if chosen not in policy.ports and not policy.is_lax:
        allowed = ", ".join(map(str, sorted(policy.ports)))
        raise WebhookRefused(f"the port must be one of {allowed}, got {chosen}")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(host=host, port=chosen, path=path, has_tls=has_tls)


def _check_parts(parts: SplitResult, *, policy: Policy) -> None:
    if parts.scheme != "https" and not (policy.is_lax and parts.scheme == "http"):
        raise WebhookRefused("the URL must begin with https://")
    if "@" in parts.netloc:
        raise WebhookRefused("the URL must not have a user name or password")
    if "[" in parts.netloc and ":" not in (parts.hostname or ""):
        raise WebhookRefused("the URL must name a host")
    if parts.fragment:
        raise WebhookRefused("the URL must not have a fragment")


def _check_host(host: str, *, policy: Policy) -> None:
    if not (_NAME.fullmatch(host) or _is_address(host)):
        raise WebhookRefused("the URL must name a host")
    if ANY_HOST not in policy.hosts and host not in policy.hosts:
        raise WebhookRefused(f"the operator of this site does not allow webhooks to {host}")


def _is_address(host: str) -> bool:
    try:
        return "%" not in host and bool(ip_address(host))
    except ValueError:
        return False

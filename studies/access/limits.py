"""Limits how often one address or account may join a study, create an account, ..., over all server processes.

Attempts are counted in spans of fixed length. Addresses are stored as keyed hashes, for an hour at most.
"""

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F

from studies.identity_keys import make_lookup_hash
from studies.models import Tally


@dataclass(frozen=True, slots=True)
class Limited:
    """One kind of attempt, and the length of its counting spans."""

    kind: str
    span: timedelta


JOINS: Final = Limited("joins", timedelta(minutes=1))
ARRIVALS: Final = Limited("arrivals", timedelta(minutes=1))
PROOFS: Final = Limited("proofs", timedelta(minutes=15))
SIGN_UPS: Final = Limited("sign-ups", timedelta(minutes=15))
MAILS: Final = Limited("mails", timedelta(minutes=15))
CODES: Final = Limited("codes", timedelta(minutes=15))
USED_CODES: Final = Limited("used codes", timedelta(minutes=15))
LOG_INS: Final = Limited("log-ins", timedelta(minutes=15))
TRIALS: Final = Limited("metric trials", timedelta(minutes=1))
_KEPT: Final = timedelta(hours=1)


def count_attempt(limited: Limited, who: str, *, most: int, now: datetime) -> bool:
    """Count an attempt, and return whether there are at most `most` in this span; always true if `most` is 0."""
    if not most:
        return True
    began_at = _find_span(limited, now)
    with transaction.atomic():
        tally, is_new = Tally.objects.get_or_create(
            kind=limited.kind, who_hash=make_lookup_hash("limit", who), began_at=began_at
        )
        Tally.objects.filter(pk=tally.pk).update(count=F("count") + 1)
        tally.refresh_from_db(fields=["count"])
        if is_new:
            delete_old_counts(now=now)
    return tally.count <= most


def wait_for_turn(limited: Limited, who: Iterable[str], *, now: datetime) -> None:
    """Let one transaction at a time go on for each of `who`. The end of the transaction lets the next one go on.

    A limit on a sum of several rows needs it: while concurrent transactions count in rows of their own, either none of
    them sees the others' counts or, if each commits before it reads the sum, all of them may see too many. Transactions
    on either side of the end of a span do not wait for each other.
    """
    began_at = _find_span(limited, now)
    # In one order for all transactions, so that no two wait for each other.
    for who_hash in sorted(make_lookup_hash("limit", each) for each in who):
        tally, _ = Tally.objects.get_or_create(kind=limited.kind, who_hash=who_hash, began_at=began_at)
        Tally.objects.select_for_update().get(pk=tally.pk)


def delete_old_counts(*, now: datetime) -> None:
    """Delete counts older than an hour; `count_attempt` does so too, but only when called."""
    Tally.objects.filter(began_at__lt=now - _KEPT).delete()


def read_address(meta: Mapping[str, Any]) -> str:
    """Return the client address of a request from its WSGI environment.

    Behind `settings.ACCORDANCE_PROXIES` proxies it is the one seen by the outermost of them: each appends to
    X-Forwarded-For, and entries before that were sent by the client and may be forged.
    """
    direct = str(meta.get("REMOTE_ADDR", ""))
    seen = [part.strip() for part in str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",") if part.strip()]
    n_proxies: int = settings.ACCORDANCE_PROXIES
    return seen[-n_proxies] if 0 < n_proxies <= len(seen) else direct


def read_network(meta: Mapping[str, Any]) -> str:
    """Return the network of one client: an IPv4 address, or the /64 network of an IPv6 address.

    A household or a rented server has at least 2^64 IPv6 addresses, which would otherwise each have separate attempts.
    Anything that is no address, as behind a socket, is returned as 0.0.0.0.
    """
    try:
        address = ipaddress.ip_address(read_address(meta).partition("%")[0])
    except ValueError:
        return "0.0.0.0"  # noqa: S104 - stands for a missing address; nothing is bound to it
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False).network_address)


def hash_network(meta: Mapping[str, Any]) -> str:
    """Return the keyed hash of `read_network`, for counting leases."""
    return make_lookup_hash("limit", f"network/{read_network(meta)}")


def is_end_between(limited: Limited, start: datetime, end: datetime) -> bool:
    """Return whether attempts at these two times are counted in different spans."""
    return _find_span(limited, start) != _find_span(limited, end)


def _find_span(limited: Limited, now: datetime) -> datetime:
    seconds = int(limited.span.total_seconds())
    return datetime.fromtimestamp(int(now.timestamp()) // seconds * seconds, tz=UTC)

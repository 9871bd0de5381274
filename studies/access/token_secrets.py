"""The secrets of tokens for programs: made once, stored as digests, found by them, and valid for a time."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet

from studies.access.terms import read_token_term

PREFIX: Final = "acc_"
"""The prefix of every token, so that scanners of repositories can recognise a leaked one."""

_HINT: Final = 4
_USE_IS_NOTED_EVERY: Final = timedelta(minutes=1)
_Token = TypeVar("_Token", bound=Model)


def make_secret(*, by: Any, now: datetime, days: int | None) -> tuple[str, dict[str, Any]]:
    """Return a secret, and the fields of the token that stores its digest.

    Args:
        by: The person who makes the token.
        days: The period of validity; None for the default.

    Raises:
        DaysRefused: The number of days is not allowed.
    """
    end = read_token_term().find_end(days, now=now)
    secret = PREFIX + secrets.token_urlsafe(32)
    fields = {"digest": _digest(secret), "hint": secret[-_HINT:], "made_by": by, "made_at": now, "expires_at": end}
    return secret, fields


def find_valid(tokens: QuerySet[_Token], secret: str, *, now: datetime) -> _Token | None:
    """Return the token of a secret, and store the time of use.

    None if it is unknown, revoked or expired, or its creator's account is closed.
    """
    valid = tokens.filter(made_by__is_active=True, revoked_at=None, expires_at__gt=now)
    found: Any = valid.filter(digest=_digest(secret)).first()
    # Stored at most once per minute, so that a busy program does not cause many writes.
    if found and (found.last_used_at is None or now - found.last_used_at >= _USE_IS_NOTED_EVERY):
        found.last_used_at = now
        found.save(update_fields=["last_used_at"])
    return found


def _digest(secret: str) -> str:
    # A fast hash without salt is enough: the secret is 256 random bits, so guessing is infeasible.
    return hashlib.sha256(secret.encode()).hexdigest()

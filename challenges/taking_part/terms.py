"""Acceptance of a challenge's terms; changed terms must be accepted again."""

import hashlib
from datetime import datetime
from typing import Any

from challenges.models import Challenge, TermsAcceptance


def accept_terms(challenge: Challenge, *, user: Any, now: datetime) -> None:
    """Record that a person accepts the present terms; a second time changes nothing."""
    TermsAcceptance.objects.get_or_create(
        challenge=challenge, user=user, terms_digest=digest_terms(challenge), defaults={"at": now}
    )


def has_accepted(challenge: Challenge, *, user: Any) -> bool:
    """Return whether a person has accepted the present terms; terms without text need not be accepted."""
    accepted = TermsAcceptance.objects.filter(challenge=challenge, user=user, terms_digest=digest_terms(challenge))
    return not challenge.terms or accepted.exists()


def digest_terms(challenge: Challenge) -> str:
    """Return the SHA-256 of the terms."""
    return hashlib.sha256(challenge.terms.encode()).hexdigest()

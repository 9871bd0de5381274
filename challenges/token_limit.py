"""The number of tokens that a person may have for one purpose in challenges."""

from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from challenges.errors import ChallengeRefused

MOST_TOKENS: Final = 20
"""The most valid tokens of a person for one purpose."""


def check_number(tokens: QuerySet[Any], *, now: datetime) -> None:
    """Check that a person may have one more of these tokens, which are theirs for one purpose.

    Raises:
        ChallengeRefused: They have `MOST_TOKENS` valid ones.
    """
    if tokens.filter(revoked_at=None, expires_at__gt=now).count() >= MOST_TOKENS:
        raise ChallengeRefused(f"you have {MOST_TOKENS} valid tokens: revoke one of them first")

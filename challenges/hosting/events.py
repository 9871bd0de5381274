"""Records what hosts do, for everybody who may see the challenge."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from challenges.enums import ChallengeAction
from challenges.errors import ChallengeRefused
from challenges.models import Challenge, ChallengeEvent
from studies.access.audit import Actor


def record_event(
    challenge: Challenge,
    *,
    actor: Actor,
    action: ChallengeAction,
    now: datetime,
    reason: str = "",
    details: Mapping[str, Any] | None = None,
) -> ChallengeEvent:
    """Add an event; call it in the transaction of the action. `details` are JSON and may hold no reference."""
    return ChallengeEvent.objects.create(
        challenge=challenge,
        actor=actor.user,
        actor_name=actor.name,
        interface=actor.interface,
        action=action,
        reason=reason,
        details=dict(details or {}),
        at=now,
    )


def check_reason(reason: str) -> str:
    """Return a reason without surrounding space.

    Raises:
        ChallengeRefused: There is none, or it is too long.
    """
    text = reason.strip()
    if not 0 < len(text) <= 500:
        raise ChallengeRefused(f"give a reason of at most 500 characters, got {len(text)}")
    return text

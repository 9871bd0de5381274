"""The error of challenges."""

from studies.shared.errors import Refusal


class ChallengeRefused(Refusal):
    """A challenge does not allow it; the message says why and what to do."""

"""Errors of scoring, with messages for the user."""

from studies.shared.errors import Refusal


class ScoringFailed(Refusal):
    """The request cannot be scored; the message names the study or metric, the rule and the offending value."""


class MissingScores(Refusal):
    """Requested scores are missing; the message contains the command that computes them."""

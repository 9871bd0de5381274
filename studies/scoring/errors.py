"""Errors of scoring, with messages for the user."""


class ScoringFailed(Exception):
    """The request cannot be scored; the message names the study or metric, the rule and the offending value."""


class MissingScores(Exception):
    """Requested scores are missing; the message contains the command that computes them."""

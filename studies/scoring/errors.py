"""What can go wrong with scores, in words for the person who asked."""


class ScoringFailed(Exception):
    """Nothing can be scored as asked; the message names the study or metric, the rule and what came."""


class MissingScores(Exception):
    """Scores that were asked for are not there; the message holds the command that makes them."""

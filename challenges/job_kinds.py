"""The kinds of background work of this app."""

from challenges.submissions.scoring_jobs import SCORE_SUBMISSION

KINDS = (SCORE_SUBMISSION,)

"""The kinds of background work of this app."""

from challenges.board.interval_jobs import COMPUTE_INTERVALS
from challenges.human.results import HUMAN_RESULTS
from challenges.submissions.scoring_jobs import SCORE_SUBMISSION
from challenges.submissions.webhooks import SEND_TEAM_WEBHOOK

KINDS = (SCORE_SUBMISSION, COMPUTE_INTERVALS, HUMAN_RESULTS, SEND_TEAM_WEBHOOK)

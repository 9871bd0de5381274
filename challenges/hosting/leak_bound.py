"""Bounds how much the scores of a phase can reveal of its private references.

Of each submission, a team sees either that it does not count, or one value for each metric with each set of references:
a score rounded to the decimals of the phase, no value (undefined), or that the metric failed. With V possible outcomes
of a submission that counts, n submissions that count and m in all, at most C(m, n) V^n sequences of answers exist,
however the files were chosen in view of earlier answers. The mutual information of what a team sees and the references
is at most the logarithm of that number: n log2(V) + m bits, since C(m, n) <= 2^m. Without a limit of those that do not
count (`ACCORDANCE_FREE_SUBMISSIONS`), m and the bound are infinite. Teams can share what they see, so that the bounds
of teams add up.

Scoring all submissions of a phase again may change what they show, and so multiplies n.

Where names of teams are shown with the board, everybody sees the scores of all submissions that teams do not hide, in
the history of each team. A team then learns what others learn, which the bound for all teams includes.
Baselines of the hosts are submissions that everybody sees, also those that were removed: each adds log2(V) + 1 bits to
the bound of a team and once to that of all. Human captions among them are private references, but only their scores are
seen.

If a phase shows intervals, a score has two rounded ends besides, and clusters follow from a comparison of each two
submissions on each column: which has the higher score, and how many of the permutations are as extreme. Both depend on
the two submissions only, as the permutations are the same each time. Everybody sees the clusters of all N submissions
of all teams, which adds N (N - 1) / 2 comparisons of each column, for one team and for all.

Not included is what is the same for all submissions (the number of images that have the references of a set), and the
time that scoring takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil, comb, floor, inf, isfinite, log2
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings

from challenges.board.intervals import N_RESAMPLES, ROUNDED_ENDS_PER_SCORE
from challenges.enums import ChallengeAction
from challenges.models import Phase
from challenges.submissions.scoring import load_metrics
from challenges.submissions.uploads import MOST_UPLOADS

_FLOAT_BITS: Final = 64
_OTHER_OUTCOMES: Final = 2
"""A score may be undefined, and a metric may fail."""
_COMPARISON_OUTCOMES: Final = 3 * (N_RESAMPLES + 1)
"""One of two scores may be higher, or they are equal; 0 to all permutations may be as extreme."""


@dataclass(frozen=True, slots=True)
class LeakBound:
    """The most that can be learned of the references of a phase, in bits.

    Attributes:
        per_submission: From the scores of a submission that counts, each time that it was scored.
        per_team: From all submissions of a team with the limits of the phase, and the baselines; may be infinite.
        in_all: From those of as many teams as there may be, with raised limits of teams.
        n_submissions: How many submissions of a team with the limits of the phase can count.
    """

    per_submission: float
    per_team: float
    in_all: float
    n_submissions: int

    @property
    def is_bounded(self) -> bool:
        """Whether submissions that do not count have a limit; without one, what teams learn has no bound."""
        return isfinite(self.in_all)


def count_values(bounds: tuple[float, float], *, decimals: int) -> float:
    """Return how many different numbers a score within bounds can be shown as; 2^64 if a bound is infinite."""
    low, high = bounds
    if not (isfinite(low) and isfinite(high)):
        return 2.0**_FLOAT_BITS
    scale = 10**decimals
    n_values = floor(high * scale + 0.5) - ceil(low * scale - 0.5) + 1
    # A negative score that is rounded to zero keeps its sign.
    return n_values + (low < 0 <= high)


def bound_scores(bounds: Sequence[tuple[float, float]], *, decimals: int) -> float:
    """Return the bits of one submission, whose scores have these bounds: log2(V)."""
    return sum(log2(count_values(each, decimals=decimals) + _OTHER_OUTCOMES) for each in bounds)


def bound_leak(phase: Phase) -> LeakBound:
    """Return the bound of a phase, from its metrics, references, decimals, limits and dates.

    Raises:
        UnknownMetric: A metric is not installed any more.
    """
    bounds = [load_metrics().get(each.metric).info.bounds for each in phase.metrics.all()] * phase.references.count()
    shown = 1 + (ROUNDED_ENDS_PER_SCORE if phase.shows_intervals else 0)
    bits = bound_scores(bounds * shown, decimals=phase.decimals)
    # Each time that all submissions are scored again, new values are shown.
    n_times = 1 + phase.challenge.events.filter(action=ChallengeAction.RESCORED, details__phase=phase.slug).count()
    n_days = _count_days(phase)
    usual = _Team.make(phase.per_day, phase.in_all, n_days=n_days)
    raised = [_Team.make(each.per_day, each.in_all, n_days=n_days) for each in phase.team_limits.all()]
    n_others = max(0, phase.challenge.most_teams - len(raised))
    per_submission = n_times * bits
    n_baselines = phase.submissions.filter(is_baseline=True).count()
    seen = _Team(n_baselines, 0).bound(per_submission)
    if phase.shows_intervals:
        n_compared = n_times * (n_others * usual.n_counted + sum(each.n_counted for each in raised) + n_baselines)
        seen += comb(n_compared, 2) * len(bounds) * log2(_COMPARISON_OUTCOMES)
    # Not by multiplication where there are none: a bound may be infinite.
    others = n_others * usual.bound(per_submission) if n_others else 0.0
    return LeakBound(
        per_submission=per_submission,
        per_team=seen + usual.bound(per_submission),
        in_all=seen + others + sum(each.bound(per_submission) for each in raised),
        n_submissions=usual.n_counted,
    )


@dataclass(frozen=True, slots=True)
class _Team:
    """How many submissions of a team can count, and how many besides can fail or be cancelled."""

    n_counted: int
    n_free: float

    @classmethod
    def make(cls, per_day: int, in_all: int, *, n_days: int) -> "_Team":
        free = settings.ACCORDANCE_FREE_SUBMISSIONS
        # When the last free one begins, as many as may count, and unfinished uploads, can still fail or be cancelled.
        return cls(min(in_all, per_day * n_days), n_days * (free + per_day + MOST_UPLOADS) if free else inf)

    def bound(self, bits: float) -> float:
        return self.n_counted * bits + self.n_counted + self.n_free


def _count_days(phase: Phase) -> int:
    zone = ZoneInfo(phase.time_zone)
    # The phase ends before `closes_at`.
    last = (phase.closes_at - timedelta(microseconds=1)).astimezone(zone).date()
    return (last - phase.opens_at.astimezone(zone).date()).days + 1

"""Bounds how much the scores of a phase can reveal of its private references.

Of each submission, a team sees either that it does not count, or one value for each metric with each set of references:
a score rounded to the decimals of the phase, no value (undefined), or that the metric failed. With V possible outcomes
of a submission that counts, n submissions that count and m in all, at most C(m, n) V^n sequences of answers exist,
however the files were chosen in view of earlier answers. The mutual information of what a team sees and the references
is at most the logarithm of that number: n log2(V) + m bits, since C(m, n) <= 2^m. Without a limit of those that do not
count (`ACCORDANCE_FREE_SUBMISSIONS`), m and the bound are infinite. Teams can share what they see, so that the bounds
of teams add up.

Scoring all submissions of a phase again may change what they show, and so multiplies n.

Not included is what is the same for all submissions (the number of images that have the references of a set), and the
time that scoring takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil, floor, inf, isfinite, log2
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings

from challenges.enums import ChallengeAction
from challenges.models import Phase
from challenges.submissions.scoring import load_metrics
from challenges.submissions.uploads import MOST_UPLOADS

_FLOAT_BITS: Final = 64
_OTHER_OUTCOMES: Final = 2
"""A score may be undefined, and a metric may fail."""


@dataclass(frozen=True, slots=True)
class LeakBound:
    """The most that can be learned of the references of a phase, in bits.

    Attributes:
        per_submission: From the scores of a submission that counts, each time that it was scored.
        per_team: From all submissions of a team with the limits of the phase; may be infinite.
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
    infos = [load_metrics().get(each.metric).info for each in phase.metrics.all()]
    bits = bound_scores([info.bounds for info in infos] * phase.references.count(), decimals=phase.decimals)
    # Each time that all submissions are scored again, new values are shown.
    bits *= 1 + phase.challenge.events.filter(action=ChallengeAction.RESCORED, details__phase=phase.slug).count()
    raised = [_bound_team(phase, bits, per_day=each.per_day, in_all=each.in_all) for each in phase.team_limits.all()]
    per_team = _bound_team(phase, bits, per_day=phase.per_day, in_all=phase.in_all)
    n_others = max(0, phase.challenge.most_teams - len(raised))
    return LeakBound(
        per_submission=bits,
        per_team=per_team,
        in_all=sum(raised) + n_others * per_team,
        n_submissions=_count_submissions(phase, per_day=phase.per_day, in_all=phase.in_all),
    )


def _bound_team(phase: Phase, bits: float, *, per_day: int, in_all: int) -> float:
    n_counted = _count_submissions(phase, per_day=per_day, in_all=in_all)
    free = settings.ACCORDANCE_FREE_SUBMISSIONS
    # When the last free one begins, as many as may count, and unfinished uploads, can still fail or be cancelled.
    n_free = _count_days(phase) * (free + per_day + MOST_UPLOADS) if free else inf
    return n_counted * bits + n_counted + n_free


def _count_submissions(phase: Phase, *, per_day: int, in_all: int) -> int:
    return min(in_all, per_day * _count_days(phase))


def _count_days(phase: Phase) -> int:
    zone = ZoneInfo(phase.time_zone)
    # The phase ends before `closes_at`.
    last = (phase.closes_at - timedelta(microseconds=1)).astimezone(zone).date()
    return (last - phase.opens_at.astimezone(zone).date()).days + 1

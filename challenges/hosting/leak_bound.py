"""An upper bound on what teams can learn about private references from the results of a phase.

All that a participant sees and that depends on the references is counted; `log2` of the number of different things that
can be seen bounds the information (in bits) that any strategy gains, also an adaptive one of several accounts.

*One score.* A metric with bounds [lo, hi], rounded to d decimals, shows at most `ceil(hi 10^d) - floor(lo 10^d) + 1`
numbers, one more where a zero can have a sign, and two states without a number: undefined, and not computed (which the
reason of the submission names). A metric without bounds shows at most the 2^64 values of a double.

*One submission.* The product over metrics and sets of references, which are computed in a fixed order, times 2, since
scoring can end early with another reason. Scoring again shows one more such result for each time.

*Failures.* A file with errors fails before references are read, and an upload or submission is cancelled only before
its first score; both show nothing. A valid file of which nothing can be computed does not count, but shows that: at
most `TRIES` N files of a team are scored, where N is its limit, and one that fails shows one of two reasons. Which of
the at most 2 N files fail is 1 bit each, and the reasons of at most N are 1 bit each.

*A team.* A strategy makes N counted submissions at most, where N is the lower of the limit in all and the limit per day
times the days that the phase touches in its time zone. With p possible combinations of scores and r times of scoring
again, a team learns at most `N ((1 + r) (log2 p + 1) + 3)` bits, and once the number of images that each set of
references has: `log2(images + 1)` bits each. Boards, ranks, downloads, digests and the choice of an entry are functions
of these numbers, and all teams together learn at most the sum of theirs.

Not counted are times: how long scoring takes, the place in line and its estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from math import ceil, floor, isfinite, log2
from typing import Final
from zoneinfo import ZoneInfo

from challenges.taking_part.limits import TRIES

DOUBLE_BITS: Final = 64.0
"""The bits of a score without bounds."""
_WITHOUT_NUMBER: Final = 2
_EXTRA_PER_SUBMISSION: Final = float(TRIES + 1)


@dataclass(frozen=True, slots=True)
class Allowance:
    """The limits of one team: submissions per day and in all."""

    per_day: int
    in_all: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakBound:
    """What teams can learn at most, in bits.

    Attributes:
        per_submission: By a counted submission, with its share of those that fail in scoring.
        once: By the numbers of images, whoever sees them first.
        n_submissions: The most counted submissions of a team with the limits of the phase.
        one_team: By a team with the limits of the phase, rounded up.
        n_teams: The teams of the challenge.
        all_teams: By all of these teams together, with limits that were raised, rounded up; 0 without teams.
    """

    per_submission: float
    once: float
    n_submissions: int
    one_team: int
    n_teams: int
    all_teams: int


def count_score_bits(bounds: tuple[float, float], *, decimals: int) -> float:
    """Return the bits of one rounded score, which may be undefined or not computed."""
    low, high = bounds
    if not (isfinite(low) and isfinite(high)):
        return DOUBLE_BITS
    scale = 10**decimals
    numbers = ceil(Fraction(high) * scale) - floor(Fraction(low) * scale) + 1
    return min(DOUBLE_BITS, log2(numbers + (low <= 0 <= high) + _WITHOUT_NUMBER))


def count_days(*, opens_at: datetime, closes_at: datetime, time_zone: str) -> int:
    """Return how many days of a time zone a phase touches; its end is not part of it."""
    zone = ZoneInfo(time_zone)
    last = closes_at - timedelta(microseconds=1)
    return (last.astimezone(zone).date() - opens_at.astimezone(zone).date()).days + 1


def compute_leak_bound(
    score_bits: Sequence[float],
    *,
    n_reference_sets: int,
    n_images: int,
    n_days: int,
    allowance: Allowance,
    teams: Sequence[Allowance],
    n_rescorings: int = 0,
) -> LeakBound:
    """Compute the bound as the module derives it.

    Args:
        score_bits: The bits of each metric, as `count_score_bits` returns them; each has all sets of references.
        n_reference_sets: The number of sets of references.
        n_images: The number of images of the phase.
        n_days: The days of the phase.
        allowance: The limits of the phase.
        teams: The limits of each team that there is.
        n_rescorings: How often hosts have scored the phase again.
    """
    scores = n_reference_sets * sum(score_bits)
    per_submission = (1 + n_rescorings) * (scores + 1) + _EXTRA_PER_SUBMISSION
    once = n_reference_sets * log2(n_images + 1)
    n_submissions = _count_submissions(allowance, n_days)
    n_of_teams = sum(_count_submissions(each, n_days) for each in teams)
    return LeakBound(
        per_submission=per_submission,
        once=once,
        n_submissions=n_submissions,
        one_team=ceil(n_submissions * per_submission + once),
        n_teams=len(teams),
        all_teams=ceil(n_of_teams * per_submission + once) if teams else 0,
    )


def _count_submissions(allowance: Allowance, n_days: int) -> int:
    return min(allowance.in_all, allowance.per_day * n_days)

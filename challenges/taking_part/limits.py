"""The limits of a team, counted from its submissions, so that no failed one has to be given back."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Q

from challenges.enums import COUNTED, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Phase, Submission, Team, TeamLimit
from challenges.submissions.reasons import FAILED_IN_SCORING

TRIES: Final = 2
"""How often a team may have valid files scored, as a multiple of its limits, since failed ones do not count."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How many submissions a team has made and may make.

    Attributes:
        today, per_day: Those of the present day in the phase's time zone, and the limit.
        made, in_all: Those of all days, and the limit.
        next_day: When the next day begins.
    """

    today: int
    per_day: int
    made: int
    in_all: int
    next_day: datetime

    @property
    def left(self) -> int:
        """How many submissions the team may make now."""
        return max(0, min(self.per_day - self.today, self.in_all - self.made))


def count_usage(phase: Phase, *, team: Team, now: datetime) -> Usage:
    """Count the submissions that are scored or on the way; failed and cancelled ones do not count."""
    start, end = find_day(phase, now=now)
    counted = Submission.objects.filter(phase=phase, team=team, state__in=COUNTED, is_baseline=False)
    raised = TeamLimit.objects.filter(phase=phase, team=team).first()
    limit = raised or phase
    return Usage(
        today=counted.filter(created_at__gte=start, created_at__lt=end).count(),
        per_day=limit.per_day,
        made=counted.count(),
        in_all=limit.in_all,
        next_day=end,
    )


def find_day(phase: Phase, *, now: datetime) -> tuple[datetime, datetime]:
    """Return the start and end of the present day of a phase; it has 23 or 25 hours where clocks are changed."""
    zone = ZoneInfo(phase.time_zone)
    day = now.astimezone(zone).date()
    start, end = (datetime.combine(each, time(), tzinfo=zone) for each in (day, day + timedelta(days=1)))
    return start, end


def check_limit(phase: Phase, *, team: Team, now: datetime) -> None:
    """Check that a team may make another submission.

    Raises:
        ChallengeRefused: It may not; the message says when it may.
    """
    usage = count_usage(phase, team=team, now=now)
    if usage.made >= usage.in_all:
        raise ChallengeRefused(f"the team has made all {usage.in_all} submissions of this phase")
    if usage.today >= usage.per_day:
        raise ChallengeRefused(
            f"the team has made all {usage.per_day} submissions of today; the next day begins at "
            f"{usage.next_day:%Y-%m-%d %H:%M} ({phase.time_zone})"
        )
    _check_tries(phase, team=team, usage=usage, now=now)


def _check_tries(phase: Phase, *, team: Team, usage: Usage, now: datetime) -> None:
    """Check that not too many valid files failed in scoring, which would tell of the references without counting."""
    start, end = find_day(phase, now=now)
    failed = Q(state=SubmissionState.FAILED, reason__in=FAILED_IN_SCORING)
    tried = Submission.objects.filter(Q(state__in=COUNTED) | failed, phase=phase, team=team, is_baseline=False)
    if tried.count() >= TRIES * usage.in_all:
        raise ChallengeRefused("too many submissions of the team failed in scoring: ask the hosts to look into it")
    if tried.filter(created_at__gte=start, created_at__lt=end).count() >= TRIES * usage.per_day:
        raise ChallengeRefused(
            "too many submissions of the team failed in scoring today: ask the hosts to look into it; the next day "
            f"begins at {usage.next_day:%Y-%m-%d %H:%M} ({phase.time_zone})"
        )

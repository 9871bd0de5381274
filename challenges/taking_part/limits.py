"""The limits of a team, counted from its submissions, so that no failed one has to be given back."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

from challenges.enums import COUNTED, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Phase, Submission, Team, TeamLimit


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
        ChallengeRefused: It may not, because of those that count or of `ACCORDANCE_FREE_SUBMISSIONS`; the message says
            when it may.
    """
    usage = count_usage(phase, team=team, now=now)
    if usage.made >= usage.in_all:
        raise ChallengeRefused(f"the team has used all its {usage.in_all} submissions in this phase")
    if usage.today >= usage.per_day:
        raise ChallengeRefused(
            f"the team has used all its {usage.per_day} submissions for today; the next day begins at "
            f"{usage.next_day:%Y-%m-%d %H:%M} ({phase.time_zone})"
        )
    most = settings.ACCORDANCE_FREE_SUBMISSIONS
    if most and count_free(phase, team=team, now=now) >= most:
        raise ChallengeRefused(
            f"{most} submissions of the team failed or were cancelled today, which is the maximum; "
            f"the next day begins at {usage.next_day:%Y-%m-%d %H:%M} ({phase.time_zone})"
        )


def count_free(phase: Phase, *, team: Team, now: datetime) -> int:
    """Count the submissions of the present day that failed or were cancelled.

    They do not count towards the team's limits, but have a limit of their own: a failure is a look at the server, too.
    """
    start, end = find_day(phase, now=now)
    ended = (SubmissionState.FAILED, SubmissionState.CANCELLED)
    today = Submission.objects.filter(phase=phase, team=team, created_at__gte=start, created_at__lt=end)
    return today.filter(state__in=ended, is_baseline=False).count()

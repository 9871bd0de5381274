"""Tests of the limits: a day is one of the phase's time zone, and only what is scored or on the way counts."""

from datetime import UTC, datetime, timedelta

import pytest

from challenges.enums import COUNTED, ENDED, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Submission, TeamLimit
from challenges.taking_part.limits import check_limit, count_free, count_usage, find_day
from tests.challenges.challenges import make_challenge, make_phase, make_team
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
BERLIN = "Europe/Berlin"


def add(phase, team, *, at, state=SubmissionState.SCORED, **extra):
    end = {"finished_at": at} if state in ENDED else {}
    reason = "a fault" if state == SubmissionState.FAILED else ""
    return Submission.objects.create(
        phase=phase, team=team, name="x", n_bytes=1, created_at=at, state=state, reason=reason, **end, **extra
    )


@pytest.mark.parametrize("state", SubmissionState.values)
def test_failed_and_cancelled_ones_never_count(state):
    phase = make_phase(make_challenge())
    team = make_team(phase.challenge)
    add(phase, team, at=NOW, state=state)
    add(phase, team, at=NOW, state=state, is_baseline=True)

    usage = count_usage(phase, team=team, now=NOW)

    assert usage.today == usage.made == (state in COUNTED)


@pytest.mark.parametrize(
    ("at", "hours", "start"),
    [
        # Winter, and the days on which the clocks go forward and back.
        (datetime(2025, 1, 15, 12, tzinfo=UTC), 24, datetime(2025, 1, 14, 23, tzinfo=UTC)),
        (datetime(2025, 3, 30, 12, tzinfo=UTC), 23, datetime(2025, 3, 29, 23, tzinfo=UTC)),
        (datetime(2025, 10, 26, 12, tzinfo=UTC), 25, datetime(2025, 10, 25, 22, tzinfo=UTC)),
    ],
)
def test_a_day_is_as_long_as_in_its_time_zone(at, hours, start):
    phase = make_phase(make_challenge(), time_zone=BERLIN)

    begin, end = (each.astimezone(UTC) for each in find_day(phase, now=at))

    assert (begin, end - begin) == (start, timedelta(hours=hours))
    assert find_day(phase, now=end)[0] == end


def test_at_midnight_of_the_phase_a_new_day_begins():
    phase = make_phase(make_challenge(), time_zone=BERLIN, per_day=1)
    team, others = make_team(phase.challenge), make_team(phase.challenge, "others")
    last_minute = datetime(2025, 3, 30, 21, 59, tzinfo=UTC)  # 23:59 in summer time
    add(phase, team, at=last_minute)

    with pytest.raises(ChallengeRefused, match=r"next day begins at 2025-03-31 00:00 \(Europe/Berlin\)"):
        check_limit(phase, team=team, now=last_minute)
    check_limit(phase, team=others, now=last_minute)
    check_limit(phase, team=team, now=last_minute + timedelta(minutes=1))


def test_a_raised_limit_is_of_one_team_and_all_days_have_a_limit():
    phase = make_phase(make_challenge(), per_day=1, in_all=2)
    team, others = make_team(phase.challenge), make_team(phase.challenge, "others")
    for each in (team, others):
        add(phase, each, at=NOW)
    TeamLimit.objects.create(team=team, phase=phase, per_day=2, in_all=2, reason="A fault of ours.")

    check_limit(phase, team=team, now=NOW)
    with pytest.raises(ChallengeRefused, match="for today"):
        check_limit(phase, team=others, now=NOW)
    add(phase, team, at=NOW)
    assert count_usage(phase, team=team, now=NOW).left == 0
    with pytest.raises(ChallengeRefused, match="all its 2 submissions in this phase"):
        check_limit(phase, team=team, now=NOW + timedelta(days=9))


def test_failed_and_cancelled_ones_are_free_up_to_a_limit_of_their_own(settings):
    settings.ACCORDANCE_FREE_SUBMISSIONS = 2
    phase = make_phase(make_challenge(), time_zone=BERLIN)
    team, others = make_team(phase.challenge), make_team(phase.challenge, "others")
    add(phase, team, at=NOW - timedelta(days=1), state=SubmissionState.FAILED)
    add(phase, team, at=NOW, state=SubmissionState.FAILED)
    add(phase, team, at=NOW)
    check_limit(phase, team=team, now=NOW)
    add(phase, team, at=NOW, state=SubmissionState.CANCELLED)

    with pytest.raises(ChallengeRefused, match=r"2 submissions .* begins at 2025-03-02 00:00 \(Europe/Berlin\)"):
        check_limit(phase, team=team, now=NOW)
    assert [count_free(phase, team=each, now=NOW) for each in (team, others)] == [2, 0]
    assert count_usage(phase, team=team, now=NOW).made == 1
    check_limit(phase, team=others, now=NOW)
    check_limit(phase, team=team, now=NOW + timedelta(days=1))
    settings.ACCORDANCE_FREE_SUBMISSIONS = 0
    check_limit(phase, team=team, now=NOW)

"""Tests that teams learn no more of private references than the bound that hosts are shown."""

from datetime import timedelta
from math import comb, inf, log2
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from django.core.management import call_command

from challenges.baselines.removing import remove_baseline
from challenges.enums import ChallengeAction
from challenges.hosting.actions import raise_limit
from challenges.hosting.events import record_event
from challenges.hosting.leak_bound import bound_leak, bound_scores, count_values
from challenges.models import Phase
from studies.access.audit import COMMAND_LINE
from tests.challenges.baselines.adding import add
from tests.challenges.challenges import make_challenge, make_phase, make_team
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("bounds", "decimals"), [((0.0, 1.0), 2), ((0.0, 10.0), 1), ((-1.0, 1.0), 2), ((0.04, 0.3), 1)]
)
def test_values_are_those_that_rounding_can_give(bounds, decimals):
    scores = np.linspace(*bounds, 200_001).tolist()

    shown = {f"{round(score, decimals):.{decimals}f}" for score in scores}

    assert count_values(bounds, decimals=decimals) == len(shown)


def test_a_score_without_a_bound_may_be_any_number():
    assert count_values((0.0, inf), decimals=1) == 2.0**64


def test_bits_are_those_of_rounded_scores_failures_and_missing_values():
    # 11 values from 0.0 to 1.0, undefined, failed; 101 from 0.0 to 10.0 and these two.
    assert bound_scores([(0.0, 1.0), (0.0, 10.0)], decimals=1) == pytest.approx(log2(13) + log2(103))


def test_bound_of_a_phase_counts_days_limits_and_teams():
    challenge = make_challenge(most_teams=10)
    dates = {"opens_at": NOW, "closes_at": NOW + timedelta(days=3), "time_zone": "Europe/Berlin"}
    phase = make_phase(challenge, **dates, metrics=("rouge-l",), per_day=2, in_all=100, decimals=3)
    zone = ZoneInfo("Europe/Berlin")
    n_days = len({(NOW + timedelta(minutes=minute)).astimezone(zone).date() for minute in range(3 * 24 * 60)})
    bits = 2 * log2(1001 + 2)

    leak = bound_leak(phase)

    assert (leak.per_submission, leak.n_submissions) == (pytest.approx(bits), 2 * n_days)
    # Of those that do not count: 20 a day, 2 that were to count and 3 unfinished uploads.
    assert leak.per_team == pytest.approx(2 * n_days * (bits + 1) + n_days * (20 + 2 + 3))
    assert leak.in_all == pytest.approx(10 * leak.per_team)


def test_raised_limits_and_scoring_again_raise_the_bound():
    challenge = make_challenge(most_teams=3)
    phase = make_phase(challenge, metrics=("rouge-l",), references=(("c2", 2),), per_day=1, in_all=5, decimals=1)
    before = bound_leak(phase)
    n_days = 33
    assert before.per_team == pytest.approx(5 * log2(13) + 5 + n_days * 24)

    team = make_team(challenge)
    raise_limit(phase, team=team, per_day=2, in_all=9, reason="A cut.", actor=COMMAND_LINE, now=NOW)
    assert bound_leak(phase).in_all == pytest.approx(2 * before.per_team + 9 * log2(13) + 9 + n_days * 25)

    details = {"phase": phase.slug}
    action = ChallengeAction.RESCORED
    record_event(challenge, actor=COMMAND_LINE, action=action, now=NOW, reason="An upgrade.", details=details)
    assert bound_leak(phase).per_team == pytest.approx(2 * 5 * log2(13) + 5 + n_days * 24)


def test_intervals_and_clusters_are_included():
    challenge = make_challenge(most_teams=3)
    given = {"metrics": ("rouge-l",), "references": (("c2", 2),), "per_day": 1, "in_all": 2, "decimals": 1}
    plain = bound_leak(make_phase(challenge, **given))
    phase = make_phase(challenge, slug="shown", shows_intervals=True, **given)

    leak = bound_leak(phase)

    assert leak.per_submission == pytest.approx(3 * plain.per_submission)
    # 6 submissions of three teams, of which each two are compared by 1,000 permutations.
    clusters = 15 * log2(3 * 1001)
    assert leak.per_team == pytest.approx(plain.per_team + 2 * 2 * plain.per_submission + clusters)
    assert leak.in_all == pytest.approx(plain.in_all + 3 * 2 * 2 * plain.per_submission + clusters)


def test_baselines_are_included_also_removed_ones():
    challenge = make_challenge(most_teams=3)
    given = {"metrics": ("rouge-l",), "references": (("c2", 2),), "per_day": 1, "in_all": 2, "decimals": 1}
    phase = make_phase(challenge, **given)
    plain = bound_leak(phase)
    add(phase, "file")
    removed = add(phase, "human")
    remove_baseline(removed.submission, reason="A mistake.", actor=COMMAND_LINE, now=NOW)

    leak = bound_leak(phase)

    # Everybody sees them, once for all teams.
    assert leak.per_team == pytest.approx(plain.per_team + 2 * (log2(13) + 1))
    assert leak.in_all == pytest.approx(plain.in_all + 2 * (log2(13) + 1))
    # With intervals each is compared with the 6 submissions of teams, and with the other.
    Phase.objects.update(shows_intervals=True)
    phase.refresh_from_db()
    clusters = comb(8, 2) * log2(3 * 1001)
    assert bound_leak(phase).per_team == pytest.approx(
        plain.per_team + 2 * 2 * log2(13) + 2 * (3 * log2(13) + 1) + clusters
    )


def test_there_is_no_bound_if_free_submissions_have_no_limit(settings):
    settings.ACCORDANCE_FREE_SUBMISSIONS = 0
    leak = bound_leak(make_phase(make_challenge()))

    assert (leak.per_team, leak.in_all, leak.is_bounded) == (inf, inf, False)


def test_the_command_prints_the_bound(tmp_path, capsys):
    make_challenge("photos")
    (tmp_path / "plan.toml").write_text(
        """
        slug = "test"
        title = "Test"
        dataset = "photos-data"
        most_teams = 1
        [[phases]]
        slug = "val"
        title = "Val"
        opens_at = 2999-01-01T00:00:00Z
        closes_at = 2999-01-02T00:00:00Z
        per_day = 2
        in_all = 2
        decimals = 1
        metrics = [{ metric = "rouge-l" }]
        references = [{ name = "all" }]
        """
    )

    call_command("create_challenge", tmp_path / "plan.toml")

    # log2(13) = 3.7; 2 of them, and a bit for each submission that counts or of one day does not: 20, 2 and 3.
    line = "phase val: scores reveal at most 3.7 bits of the references for each submission, 34 to a team, 34 to all 1"
    assert line in capsys.readouterr().out

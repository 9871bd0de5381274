"""Tests of the bound on what results tell: the count of displayable values, days of a time zone, limits and teams."""

from datetime import UTC, datetime
from math import inf, log2

import pytest

from challenges.hosting.leak_bound import (
    DOUBLE_BITS,
    Allowance,
    compute_leak_bound,
    count_days,
    count_score_bits,
)

LIMITS = Allowance(per_day=2, in_all=5)


@pytest.mark.parametrize(
    ("bounds", "decimals", "n_values"),
    [
        # 0.0 to 1.0, -0.0, undefined, and not computed.
        ((0.0, 1.0), 1, 11 + 3),
        ((0.0, 10.0), 3, 10_001 + 3),
        ((-1.0, 1.0), 2, 201 + 3),
        # 0.3 to 1.4, since 0.36 is shown as 0.4 but 0.34 as 0.3.
        ((0.34, 1.33), 1, 12 + 2),
    ],
)
def test_a_score_has_a_bit_for_each_halving_of_what_it_can_show(bounds, decimals, n_values):
    assert count_score_bits(bounds, decimals=decimals) == log2(n_values)


@pytest.mark.parametrize("bounds", [(0.0, inf), (-inf, 1.0), (-1e300, 1e300)])
def test_a_score_without_bounds_has_the_bits_of_a_double(bounds):
    assert count_score_bits(bounds, decimals=3) == DOUBLE_BITS


@pytest.mark.parametrize("low", [-0.37, 0.0, 0.004, 0.25])
def test_all_rounded_values_are_counted(low):
    shown = {round(low + (1.337 - low) * number / 9_999, 2) for number in range(10_000)}
    assert log2(len(shown)) <= count_score_bits((low, 1.337), decimals=2) < log2(len(shown) + 6)


@pytest.mark.parametrize(
    ("opens_at", "closes_at", "zone", "n_days"),
    [
        (datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 2, tzinfo=UTC), "UTC", 1),
        (datetime(2025, 3, 1, 12, tzinfo=UTC), datetime(2025, 3, 2, 12, tzinfo=UTC), "UTC", 2),
        # The same day is two in Berlin.
        (datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 2, tzinfo=UTC), "Europe/Berlin", 2),
        # The clocks go forward.
        (datetime(2025, 3, 29, 23, tzinfo=UTC), datetime(2025, 3, 30, 22, tzinfo=UTC), "Europe/Berlin", 1),
    ],
)
def test_days_are_those_of_the_time_zone(opens_at, closes_at, zone, n_days):
    assert count_days(opens_at=opens_at, closes_at=closes_at, time_zone=zone) == n_days


def test_a_team_learns_from_as_many_submissions_as_its_limits_allow():
    given = {"n_reference_sets": 2, "n_images": 7, "allowance": LIMITS}

    short = compute_leak_bound([4.0, 6.0], n_days=2, teams=[], **given)
    bound = compute_leak_bound([4.0, 6.0], n_days=9, teams=[LIMITS, Allowance(9, 10)], **given)

    assert (bound.per_submission, bound.once) == (2 * 10 + 1 + 3, 2 * 3)
    assert (short.n_submissions, bound.n_submissions) == (4, 5)
    assert (short.one_team, bound.one_team) == (4 * 24 + 6, 5 * 24 + 6)
    assert (short.n_teams, short.all_teams, bound.n_teams, bound.all_teams) == (0, 0, 2, 15 * 24 + 6)


def test_scoring_again_shows_results_again():
    given = {"n_reference_sets": 1, "n_images": 1, "n_days": 9, "allowance": LIMITS, "teams": []}
    assert compute_leak_bound([9.0], n_rescorings=2, **given).per_submission == 3 * 10 + 3

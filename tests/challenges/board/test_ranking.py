"""Tests of the board against a computation written out here, with random submissions."""

from datetime import timedelta

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser

from challenges.board.ranking import ANONYMOUS, compute_board, may_see_board
from challenges.enums import EntryRule, ResultsVisibility, SubmissionState
from challenges.models import Submission, SubmissionScore
from tests.challenges.challenges import make_challenge, make_phase, make_team
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db


def add(phase, team, value, *, state=SubmissionState.SCORED, **extra):
    """Make a submission with one score; None is an undefined one."""
    ended = {"finished_at": NOW} if state in ("scored", "failed", "cancelled") else {}
    made = Submission.objects.create(
        phase=phase, team=team, name="x", n_bytes=1, created_at=NOW, state=state, reason="-", **ended, **extra
    )
    SubmissionScore.objects.create(
        submission=made, references="c2", metric="cider-d", signature="s", value=value, n_images=4
    )
    return made


def list_rows(board):
    return [(each.rank, each.team, each.values[0]) for each in board.entries]


@pytest.mark.parametrize("rule", EntryRule.values)
@pytest.mark.parametrize("seed", range(5))
def test_the_board_is_the_one_computed_by_hand(rule, seed):
    rng = np.random.default_rng(seed)
    phase = make_phase(make_challenge(), entry_rule=rule, decimals=1)
    teams = {name: make_team(phase.challenge, name) for name in "abcdef"}
    counted = {}
    for _ in range(60):
        name = str(rng.choice(list(teams)))
        value = None if rng.random() < 0.1 else float(rng.uniform(0, 1))
        fate = rng.choice(["scored", "scored", "scored", "failed", "cancelled", "queued", "hidden", "disqualified"])
        state = fate if fate not in ("hidden", "disqualified") else "scored"
        extra = {"is_hidden": fate == "hidden", "disqualified_because": "cheated" if fate == "disqualified" else ""}
        add(phase, teams[name], value, state=state, **extra)
        if fate == "scored":
            counted.setdefault(name, []).append(None if value is None else round(value, 1))

    best = {}
    for name, values in counted.items():
        defined = [value for value in values if value is not None]
        best[name] = values[-1] if rule == "latest" else max(defined, default=None)
    present = [value for value in best.values() if value is not None]
    expected = {
        (None if value is None else 1 + sum(other > value for other in present), name, value)
        for name, value in best.items()
    }
    rows = list_rows(compute_board(phase))
    assert set(rows) == expected
    assert len(rows) == len(expected)
    ranks = [len(rows) + 1 if rank is None else rank for rank, _, _ in rows]
    assert ranks == sorted(ranks)


def test_ties_share_a_rank_and_what_is_missing_or_a_baseline_has_none():
    phase = make_phase(make_challenge())
    names = ("a", "b", "c", "d")
    for name, value in zip(names, (0.50004, 0.50001, 0.2, None), strict=True):
        add(phase, make_team(phase.challenge, name), value)
    add(phase, make_team(phase.challenge, "base"), 0.4, is_baseline=True)

    assert list_rows(compute_board(phase)) == [
        (1, "a", 0.5),
        (1, "b", 0.5),
        (None, "base", 0.4),
        (3, "c", 0.2),
        (None, "d", None),
    ]


def test_names_are_hidden_until_they_are_published():
    phase = make_phase(make_challenge(is_anonymous=True))
    add(phase, make_team(phase.challenge), 0.5)

    assert list_rows(compute_board(phase)) == [(1, ANONYMOUS, 0.5)]
    assert list_rows(compute_board(phase, shows_names=True)) == [(1, "team", 0.5)]
    phase.challenge.published_at = NOW
    assert list_rows(compute_board(phase)) == [(1, "team", 0.5)]


def test_the_latest_is_the_one_completed_last():
    phase = make_phase(make_challenge(), entry_rule=EntryRule.LATEST)
    team = make_team(phase.challenge)
    begun_first = add(phase, team, 0.5)
    add(phase, team, 0.25)
    Submission.objects.filter(pk=begun_first.pk).update(created_at=NOW + timedelta(hours=1))

    assert list_rows(compute_board(phase)) == [(1, "team", 0.5)]


def test_the_number_of_queries_does_not_grow(django_assert_num_queries):
    phase = make_phase(make_challenge())
    for name in "abc":
        add(phase, make_team(phase.challenge, name), 0.5)
    with django_assert_num_queries(4):
        compute_board(phase)
    for name in "defghijk":
        add(phase, make_team(phase.challenge, name), 0.5)
    with django_assert_num_queries(4):
        compute_board(phase)


def test_who_sees_the_board():
    owner = make_user("owner")
    phase = make_phase(make_challenge(owner=owner))

    def sees(user, *, visibility, now=NOW):
        phase.visibility = visibility
        return may_see_board(phase, user=user, now=now)

    for user in (AnonymousUser(), make_user("stranger")):
        assert not sees(user, visibility=ResultsVisibility.PARTICIPANT, now=phase.closes_at)
        assert sees(user, visibility=ResultsVisibility.ALL)
        assert not sees(user, visibility=ResultsVisibility.AFTER_END, now=phase.closes_at - timedelta(seconds=1))
        assert sees(user, visibility=ResultsVisibility.AFTER_END, now=phase.closes_at)
    assert sees(owner, visibility=ResultsVisibility.PARTICIPANT)
    phase.challenge.state = "draft"
    assert not sees(AnonymousUser(), visibility=ResultsVisibility.ALL)

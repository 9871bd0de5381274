"""Tests of what hosts do: it takes effect, has a reason, and is recorded with the challenge."""

from datetime import timedelta

import pytest

from challenges.board.ranking import compute_board
from challenges.errors import ChallengeRefused
from challenges.hosting.actions import (
    close_challenge,
    disqualify,
    extend_deadline,
    find_problems,
    open_challenge,
    raise_limit,
    reinstate,
    rescore,
)
from challenges.taking_part.limits import count_usage
from studies.access.audit import Actor
from studies.enums import Interface, MemberRole
from studies.models import Study
from tests.challenges.challenges import make_challenge, make_phase, make_team, score_all, submit
from tests.factories.studies import NOW, make_member, make_study, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def phase():
    return make_phase(make_challenge(owner=make_user("host")), per_day=1)


@pytest.fixture
def given(phase):
    """Return what every action takes."""
    return {"actor": Actor(user=phase.challenge.owner, interface=Interface.PAGE), "now": NOW, "reason": " Because. "}


def list_events(phase):
    return [(each.action, each.actor_name, each.reason) for each in phase.challenge.events.order_by("pk")]


def test_a_draft_is_opened_once_nothing_prevents_it(given):
    challenge = make_challenge(state="draft", owner=given["actor"].user, slug="draft")
    given.pop("reason")
    with pytest.raises(ChallengeRefused, match="it has no phase"):
        open_challenge(challenge, **given)
    phase = make_phase(challenge, references=(("c9", 9),))
    assert find_problems(challenge, now=NOW) == ["phase test: none of 4 images has the references c9"]
    assert "phase test: it has already ended" in find_problems(challenge, now=phase.closes_at)
    phase.references.update(count=2)
    open_challenge(challenge, **given)
    assert challenge.state == "open"
    assert list_events(phase) == [("opened", "host", "")]
    with pytest.raises(ChallengeRefused, match="open already"):
        open_challenge(challenge, **given)
    close_challenge(challenge, reason="It is over.", **given)
    assert (challenge.state, list_events(phase)[-1]) == ("closed", ("closed", "host", "It is over."))


def test_references_that_others_can_see_are_not_private(phase):
    study = make_study(owner=phase.challenge.owner)
    Study.objects.filter(pk=study.pk).update(dataset=phase.challenge.dataset)
    assert find_problems(phase.challenge, now=NOW) == []

    colleague = make_user("colleague")
    make_member(study, colleague, MemberRole.VIEWER)
    (problem,) = find_problems(phase.challenge, now=NOW)
    assert problem.startswith("study study: people who are not hosts can see the references")
    phase.challenge.hosts.add(colleague)
    assert find_problems(phase.challenge, now=NOW) == []


def test_a_deadline_is_only_extended(phase, given):
    later = phase.closes_at + timedelta(days=1)
    extend_deadline(phase, closes_at=later, **given)
    phase.refresh_from_db()
    assert phase.closes_at == later
    assert list_events(phase) == [("extended", "host", "Because.")]
    with pytest.raises(ChallengeRefused, match="must be after the present one"):
        extend_deadline(phase, closes_at=later, **given)


def test_one_team_gets_more(phase, given):
    team, other = make_team(phase.challenge), make_team(phase.challenge, "other")
    raise_limit(phase, team=team, per_day=3, in_all=200, **given)
    raise_limit(phase, team=team, per_day=4, in_all=200, **given)

    assert [count_usage(phase, team=each, now=NOW).per_day for each in (team, other)] == [4, 1]
    assert [event[0] for event in list_events(phase)] == ["raised", "raised"]
    with pytest.raises(ChallengeRefused, match="may not be below"):
        raise_limit(phase, team=team, per_day=0, in_all=200, **given)
    elsewhere = make_team(make_challenge("elsewhere"), "x")
    with pytest.raises(ChallengeRefused, match="another challenge"):
        raise_limit(phase, team=elsewhere, per_day=3, in_all=200, **given)


def test_a_disqualified_submission_leaves_the_board_and_counts(phase, given):
    team = make_team(phase.challenge)
    submission = submit(phase, team=team)
    score_all()
    disqualify(submission, **given)
    assert (compute_board(phase).entries, count_usage(phase, team=team, now=NOW).today) == ((), 1)
    reinstate(submission, **given)
    assert len(compute_board(phase).entries) == 1
    assert list_events(phase) == [("disqualified", "host", "Because."), ("reinstated", "host", "Because.")]


def test_all_are_scored_again(phase, given):
    for name in "ab":
        submit(phase, team=make_team(phase.challenge, name))
    score_all()
    board = compute_board(phase)
    phase.submissions.first().scores.update(value=-1)

    assert rescore(phase, **given) == 2
    # Those that are waiting already are not queued twice.
    assert rescore(phase, **given) == 0
    score_all()
    assert compute_board(phase) == board
    phase.frozen_at = NOW
    with pytest.raises(ChallengeRefused, match="is final"):
        rescore(phase, **given)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_an_action_needs_a_reason(phase, given, reason):
    with pytest.raises(ChallengeRefused, match="give a reason"):
        rescore(phase, **{**given, "reason": reason})
    assert list_events(phase) == []

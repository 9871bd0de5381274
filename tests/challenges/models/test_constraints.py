"""Tests of what the database refuses."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from challenges.models import Phase, Submission, TeamLimit, TeamMember
from tests.challenges.challenges import make_challenge, make_phase, make_team
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "change",
    [
        {"closes_at": NOW - timedelta(days=2)},
        {"per_day": 0},
        {"in_all": 0},
        {"captions_per_image": 0},
        {"decimals": 0},
        {"decimals": 7},
        {"visibility": "nobody"},
        {"entry_rule": "worst"},
    ],
)
def test_a_phase_makes_sense(change):
    phase = make_phase(make_challenge())
    with pytest.raises(IntegrityError), transaction.atomic():
        Phase.objects.filter(pk=phase.pk).update(**change)


@pytest.mark.parametrize(
    "change", [{"state": "lost"}, {"state": "scored"}, {"finished_at": NOW}, {"state": "failed", "finished_at": NOW}]
)
def test_a_submission_has_an_end_and_a_reason(change):
    phase = make_phase(make_challenge())
    made = Submission.objects.create(phase=phase, team=make_team(phase.challenge), name="x", n_bytes=1, created_at=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        Submission.objects.filter(pk=made.pk).update(**change)


def test_a_person_is_in_one_team_of_a_challenge():
    challenge = make_challenge()
    user = make_team(challenge).members.get().user
    other = make_team(challenge, "other")
    with pytest.raises(IntegrityError), transaction.atomic():
        TeamMember.objects.create(team=other, challenge=challenge, user=user, joined_at=NOW)
    elsewhere = make_challenge("elsewhere")
    TeamMember.objects.create(team=make_team(elsewhere, "x"), challenge=elsewhere, user=user, joined_at=NOW)


def test_names_occur_once_and_raised_limits_have_reasons():
    challenge = make_challenge(owner=make_user("owner"))
    phase, team = make_phase(challenge), make_team(challenge)
    for make in (
        lambda: make_phase(challenge),
        lambda: type(team).objects.create(challenge=challenge, name="team", created_at=NOW),
        lambda: type(challenge).objects.filter(pk=challenge.pk).update(state="secret"),
        lambda: phase.references.create(name="c2", position=9),
        lambda: phase.references.create(name="none", position=9, count=0),
        lambda: phase.metrics.create(metric="rouge-l", position=9),
        lambda: TeamLimit.objects.create(team=team, phase=phase, per_day=9, in_all=9, reason=""),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            make()


def test_a_dataset_with_a_challenge_is_not_deleted():
    with pytest.raises(ProtectedError):
        make_challenge().dataset.delete()

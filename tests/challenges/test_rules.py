"""Tests of the rights of owners, hosts, participants and strangers."""

import pytest
from django.contrib.auth.models import AnonymousUser

from challenges.models import Submission
from challenges.rules import (
    CHANGE_SUBMISSION,
    HOST_CHALLENGE,
    OWN_CHALLENGE,
    USE_TEAM,
    VIEW_CHALLENGE,
    VIEW_SUBMISSION,
)
from tests.challenges.challenges import make_challenge, make_phase, make_team
from tests.factories.studies import NOW, make_user

RIGHTS = {
    "owner": {VIEW_CHALLENGE, HOST_CHALLENGE, OWN_CHALLENGE, VIEW_SUBMISSION},
    "host": {VIEW_CHALLENGE, HOST_CHALLENGE, VIEW_SUBMISSION},
    "member": {VIEW_CHALLENGE, USE_TEAM, VIEW_SUBMISSION, CHANGE_SUBMISSION},
    "rival": {VIEW_CHALLENGE},
    "stranger": {VIEW_CHALLENGE},
    "anonymous": {VIEW_CHALLENGE},
    "dismissed": {VIEW_CHALLENGE},
    "superuser": {VIEW_CHALLENGE, HOST_CHALLENGE, OWN_CHALLENGE, USE_TEAM, VIEW_SUBMISSION, CHANGE_SUBMISSION},
}


@pytest.mark.django_db
def test_rights():
    challenge = make_challenge(owner=make_user("owner"))
    phase, team, rivals = make_phase(challenge), make_team(challenge), make_team(challenge, "rivals")
    submission = Submission.objects.create(phase=phase, team=team, name="x", n_bytes=1, created_at=NOW)
    people = {
        "owner": challenge.owner,
        "host": make_user("host"),
        "member": team.members.get().user,
        "rival": rivals.members.get().user,
        "stranger": make_user("stranger"),
        "anonymous": AnonymousUser(),
        "dismissed": make_user("dismissed", is_active=False),
        "superuser": make_user("superuser", is_superuser=True),
    }
    challenge.hosts.add(people["host"], people["dismissed"])
    asked = dict.fromkeys((VIEW_CHALLENGE, HOST_CHALLENGE, OWN_CHALLENGE), challenge)
    asked |= {USE_TEAM: team, VIEW_SUBMISSION: submission, CHANGE_SUBMISSION: submission}

    found = {name: {right for right, on in asked.items() if user.has_perm(right, on)} for name, user in people.items()}

    assert found == RIGHTS
    challenge.state = "draft"
    seen = {name for name, user in people.items() if user.has_perm(VIEW_CHALLENGE, challenge)}
    assert seen == {"owner", "host", "superuser"}

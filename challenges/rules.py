"""Permissions for one challenge.

A challenge that is no draft can be viewed by everybody, also without an account: only its references are private.
Hosting includes everything but the choice of hosts, which is the owner's.
"""

from typing import Any

import rules

from challenges.enums import ChallengeState
from challenges.models import Challenge, Submission, Team, TeamMember

# A user, or Django's `AnonymousUser`, which share no base class.
Person = Any


@rules.predicate
def is_owner(user: Person, challenge: Challenge | None) -> bool:
    return challenge is not None and challenge.owner_id is not None and challenge.owner_id == user.pk


@rules.predicate
def is_host(user: Person, challenge: Challenge | None) -> bool:
    return challenge is not None and user.is_authenticated and challenge.hosts.filter(pk=user.pk).exists()


@rules.predicate
def is_announced(_user: Person, challenge: Challenge | None) -> bool:
    return challenge is not None and challenge.state != ChallengeState.DRAFT


@rules.predicate
def is_in_team(user: Person, team: Team | None) -> bool:
    return team is not None and user.is_authenticated and TeamMember.objects.filter(team=team, user=user).exists()


@rules.predicate
def is_in_its_team(user: Person, submission: Submission | None) -> bool:
    return submission is not None and is_in_team(user, submission.team)


@rules.predicate
def hosts_its_challenge(user: Person, submission: Submission | None) -> bool:
    return submission is not None and can_host(user, submission.team.challenge)


# Superusers are not mentioned, since their `has_perm` is true without any rule.
can_own = rules.is_active & is_owner
can_host = can_own | (rules.is_active & is_host)

VIEW_CHALLENGE = "challenges.view_challenge"
HOST_CHALLENGE = "challenges.host_challenge"
OWN_CHALLENGE = "challenges.own_challenge"
USE_TEAM = "challenges.use_team"
VIEW_SUBMISSION = "challenges.view_submission"
CHANGE_SUBMISSION = "challenges.change_submission"

rules.add_perm(VIEW_CHALLENGE, is_announced | can_host)
rules.add_perm(HOST_CHALLENGE, can_host)
rules.add_perm(OWN_CHALLENGE, can_own)
rules.add_perm(USE_TEAM, rules.is_active & is_in_team)
rules.add_perm(VIEW_SUBMISSION, (rules.is_active & is_in_its_team) | hosts_its_challenge)
rules.add_perm(CHANGE_SUBMISSION, rules.is_active & is_in_its_team)

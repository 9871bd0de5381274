"""Loads the challenge, team or submission of a request, checking the permissions of the person and the token."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request

from challenges.models import Challenge, HostToken, Phase, Submission, Team, TeamToken
from challenges.rules import CHANGE_SUBMISSION, HOST_CHALLENGE, VIEW_SUBMISSION
from challenges.taking_part.teams import find_team
from challenges.taking_part.visibility import hosted_by, visible_challenges


def find_viewer(request: Request) -> Any:
    """Return whose permissions count: with a token nobody's, since it is for a team, also if its creator is a host."""
    return AnonymousUser() if isinstance(request.auth, TeamToken) else request.user


def fetch_challenge(request: Request, slug: str) -> Challenge:
    """Return the challenge; 404 for people who may not see it."""
    found = visible_challenges(find_viewer(request)).filter(slug=slug).first()
    if found is None:
        raise NotFound(f"There is no challenge {slug!r}.")
    return found


def fetch_phase(request: Request, slug: str, phase: str) -> Phase:
    """Return a phase of a challenge; 404 for people who may not see it."""
    return _find_phase(fetch_challenge(request, slug), phase)


def find_own_team(request: Request, challenge: Challenge) -> Team | None:
    """Return the team of the token, or of the person, in a challenge."""
    if isinstance(request.auth, TeamToken):
        return request.auth.team if request.auth.team.challenge_id == challenge.pk else None
    return find_team(challenge, user=request.user)


def fetch_own_team(request: Request, challenge: Challenge) -> Team:
    """Return the team of the token, or of the person; 403 without one."""
    team = find_own_team(request, challenge)
    if team is None:
        raise PermissionDenied("This needs a team of the challenge, or a token of one: join on the challenge's page.")
    return team


def fetch_submission(request: Request, slug: str, token: str, *, right: str = VIEW_SUBMISSION) -> Submission:
    """Return a submission; 404 for everybody but its team and the hosts, 403 for hosts who want to change it."""
    submission = _find_submission(fetch_challenge(request, slug), token)
    if submission is None or not _may(request, submission, VIEW_SUBMISSION):
        raise NotFound("There is no such submission, or it belongs to another team.")
    if not _may(request, submission, right):
        raise PermissionDenied("Only the team may change its submission.")
    return submission


def fetch_own_submission(request: Request, slug: str, token: str) -> Submission:
    """Return a submission that the person or the token may change."""
    return fetch_submission(request, slug, token, right=CHANGE_SUBMISSION)


def fetch_hosted_challenge(request: Request, slug: str) -> Challenge:
    """Return a challenge that the person hosts; 404 for people who may not see it, 403 for all others but its hosts."""
    challenge = fetch_challenge(request, slug)
    if isinstance(request.auth, HostToken):
        # Of a superuser as well, a token hosts only what its creator hosts.
        is_host = Challenge.objects.filter(hosted_by(request.user), pk=challenge.pk).exists()
    else:
        is_host = request.user.has_perm(HOST_CHALLENGE, challenge)
    if not is_host:
        raise PermissionDenied("Only the hosts of a challenge may do this.")
    return challenge


def fetch_hosted_phase(request: Request, slug: str, phase: str) -> Phase:
    """Return a phase of a challenge that the person hosts."""
    return _find_phase(fetch_hosted_challenge(request, slug), phase)


def fetch_hosted_submission(request: Request, slug: str, token: str) -> Submission:
    """Return a submission to a challenge that the person hosts."""
    submission = _find_submission(fetch_hosted_challenge(request, slug), token)
    if submission is None:
        raise NotFound("There is no such submission.")
    return submission


def fetch_hosted_team(challenge: Challenge, number: int) -> Team:
    """Return a team of a challenge."""
    team = challenge.teams.filter(pk=number, is_baseline=False).first()
    if team is None:
        raise NotFound(f"There is no team {number} in the challenge {challenge.slug!r}.")
    return team


def _find_phase(challenge: Challenge, name: str) -> Phase:
    found = challenge.phases.filter(slug=name).first()
    if found is None:
        raise NotFound(f"There is no phase {name!r} in the challenge {challenge.slug!r}.")
    found.challenge = challenge
    return found


def _find_submission(challenge: Challenge, token: str) -> Submission | None:
    found = Submission.objects.select_related("phase", "team", "made_by").filter(team__challenge=challenge, token=token)
    submission = found.first()
    if submission is not None:
        submission.team.challenge = submission.phase.challenge = challenge
    return submission


def _may(request: Request, submission: Submission, right: str) -> bool:
    if isinstance(request.auth, TeamToken):
        return submission.team_id == request.auth.team_id
    return bool(request.user.has_perm(right, submission))

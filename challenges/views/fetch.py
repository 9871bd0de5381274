"""Loads the challenge, phase, team or submission of a page, checking permissions."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from challenges.models import Challenge, Phase, Submission, Team
from challenges.rules import HOST_CHALLENGE, VIEW_SUBMISSION
from challenges.taking_part.teams import find_team
from challenges.taking_part.visibility import visible_challenges


def fetch_challenge(request: HttpRequest, slug: str) -> Challenge:
    """Return the challenge; 404 for people who may not see it."""
    return get_object_or_404(visible_challenges(request.user).select_related("dataset", "owner"), slug=slug)


def fetch_hosted_challenge(request: HttpRequest, slug: str) -> Challenge:
    """Return the challenge; 404 for people who may not see it, 403 for all others but its hosts."""
    challenge = fetch_challenge(request, slug)
    if not request.user.has_perm(HOST_CHALLENGE, challenge):
        raise PermissionDenied("Only the hosts of a challenge may do this.")
    return challenge


def fetch_hosted_submission(challenge: Challenge, token: str) -> Submission:
    """Return a submission to a challenge that the person hosts."""
    found = Submission.objects.select_related("team__challenge", "phase__challenge")
    return get_object_or_404(found, team__challenge=challenge, token=token)


def fetch_phase(challenge: Challenge, slug: str) -> Phase:
    """Return a phase of a challenge that the person may see."""
    phase = get_object_or_404(challenge.phases, slug=slug)
    phase.challenge = challenge
    return phase


def fetch_own_team(request: HttpRequest, challenge: Challenge) -> Team:
    """Return the person's team in a challenge; 404 if they are in none."""
    team = find_team(challenge, user=request.user)
    if team is None:
        raise Http404("you are in no team of this challenge")
    return team


def fetch_submission(request: HttpRequest, slug: str, token: str) -> Submission:
    """Return a submission; 404 for everybody but its team and the hosts."""
    challenge = fetch_challenge(request, slug)
    found = Submission.objects.select_related("phase", "team", "made_by").filter(team__challenge=challenge)
    submission = get_object_or_404(found, token=token)
    submission.team.challenge = submission.phase.challenge = challenge
    if not request.user.has_perm(VIEW_SUBMISSION, submission):
        raise Http404("the submission belongs to another team")
    return submission

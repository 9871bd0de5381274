"""The list of challenges, and the page of a challenge."""

from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from challenges.board.ranking import may_see_board
from challenges.enums import ChallengeState
from challenges.models import Challenge, Phase
from challenges.rules import HOST_CHALLENGE
from challenges.taking_part.instructions import describe_results, list_image_ids
from challenges.taking_part.teams import find_team
from challenges.taking_part.visibility import visible_challenges
from challenges.views.fetch import fetch_challenge, fetch_phase

PER_PAGE: Final = 25
EVENTS_PER_PAGE: Final = 25


@require_safe
def show_challenges(request: HttpRequest) -> HttpResponse:
    n_teams = Count("teams", filter=Q(teams__is_baseline=False), distinct=True)
    found = visible_challenges(request.user).annotate(n_teams=n_teams).order_by("title", "pk")
    page = Paginator(found.prefetch_related("phases"), PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "rows": [(each, list(each.phases.all())) for each in page], "now": timezone.now()}
    return render(request, "challenges/challenge_list.html", {**context, "section": "challenges"})


@require_safe
def show_challenge(request: HttpRequest, slug: str) -> HttpResponse:
    challenge, now = fetch_challenge(request, slug), timezone.now()
    phases = list(challenge.phases.prefetch_related("metrics", "references"))
    for phase in phases:
        phase.challenge = challenge
    events = Paginator(challenge.events.all(), EVENTS_PER_PAGE).get_page(request.GET.get("events"))
    context = {
        **describe_challenge(request, challenge, tab="challenges:challenge"),
        "rows": [describe_phase(phase, user=request.user, now=now) for phase in phases],
        "events": events,
        "is_open": challenge.state == ChallengeState.OPEN,
    }
    return render(request, "challenges/challenge.html", context)


@require_safe
def download_image_ids(request: HttpRequest, slug: str, phase: str) -> JsonResponse:
    found = fetch_phase(fetch_challenge(request, slug), phase)
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{phase}-image-ids.json"'}
    return JsonResponse(list_image_ids(found), safe=False, headers=headers)


def describe_challenge(request: HttpRequest, challenge: Challenge, *, tab: str) -> dict[str, Any]:
    """Return the context that all pages of a challenge need."""
    team = find_team(challenge, user=request.user)
    return {
        "challenge": challenge,
        "team": team,
        "is_host": request.user.has_perm(HOST_CHALLENGE, challenge),
        "tab": tab,
        "section": "challenges",
    }


def describe_phase(phase: Phase, *, user: Any, now: Any) -> dict[str, Any]:
    """Return a phase with its state, what is uploaded in it, and whether the person may see its board."""
    return {
        "phase": phase,
        "state": find_state(phase, now=now),
        "instructions": describe_results(phase),
        "shows_board": may_see_board(phase, user=user, now=now),
    }


def find_state(phase: Phase, *, now: Any) -> str:
    """Return whether a phase accepts submissions: not yet, now, or no more."""
    if now < phase.opens_at:
        return "Not open yet"
    return "Open" if now < phase.closes_at else "Over"

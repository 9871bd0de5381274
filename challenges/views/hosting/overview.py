"""The page on which hosts see the state, teams and submissions of their challenge."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from challenges.enums import ChallengeState
from challenges.hosting.actions import find_problems
from challenges.hosting.leak_bound import bound_leak
from challenges.hosting.overview import count_by_phase, list_submissions, list_teams
from challenges.views.challenge import describe_challenge, find_state
from challenges.views.fetch import fetch_hosted_challenge

PER_PAGE: Final = 25


@login_required
@require_safe
@never_cache
def show_host_page(request: HttpRequest, slug: str) -> HttpResponse:
    challenge, now = fetch_hosted_challenge(request, slug), timezone.now()
    is_closed = challenge.state != ChallengeState.OPEN
    context = {
        **describe_challenge(request, challenge, tab="challenges:host"),
        "problems": find_problems(challenge, now=now) if is_closed else [],
        "is_closed": is_closed,
        "leaks": [(each, bound_leak(each)) for each in challenge.phases.all()],
        "phases": [(each, find_state(each, now=now)) for each in count_by_phase(challenge)],
        "teams": Paginator(list_teams(challenge), PER_PAGE).get_page(request.GET.get("teams")),
        "submissions": Paginator(list_submissions(challenge), PER_PAGE).get_page(request.GET.get("submissions")),
        "events": Paginator(challenge.events.all(), PER_PAGE).get_page(request.GET.get("events")),
    }
    return render(request, "challenges/host.html", context)

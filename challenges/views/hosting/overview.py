"""The page on which hosts see the state, teams and submissions of their challenge."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from challenges.enums import ENDED, ChallengeState, SubmissionState
from challenges.hosting.actions import find_problems
from challenges.hosting.leaks import list_leak_bounds
from challenges.models import Submission
from challenges.views.challenge import describe_challenge, find_state
from challenges.views.fetch import fetch_hosted_challenge

PER_PAGE: Final = 25


@login_required
@require_safe
@never_cache
def show_host_page(request: HttpRequest, slug: str) -> HttpResponse:
    challenge, now = fetch_hosted_challenge(request, slug), timezone.now()
    counts = {
        "n_scored": Count("submissions", filter=Q(submissions__state=SubmissionState.SCORED)),
        "n_failed": Count("submissions", filter=Q(submissions__state=SubmissionState.FAILED)),
        "n_moving": Count("submissions", filter=~Q(submissions__state__in=[*ENDED, SubmissionState.RECEIVING])),
    }
    teams = challenge.teams.annotate(n_submissions=Count("submissions")).prefetch_related(
        "members__user", "limits__phase"
    )
    submissions = Submission.objects.filter(team__challenge=challenge).select_related("team", "phase").order_by("-pk")
    is_closed = challenge.state != ChallengeState.OPEN
    context = {
        **describe_challenge(request, challenge, tab="challenges:host"),
        "problems": find_problems(challenge, now=now) if is_closed else [],
        "is_closed": is_closed,
        "phases": [(each, find_state(each, now=now)) for each in challenge.phases.annotate(**counts)],
        "leaks": list_leak_bounds(challenge),
        "teams": Paginator(teams.order_by("name"), PER_PAGE).get_page(request.GET.get("teams")),
        "submissions": Paginator(submissions, PER_PAGE).get_page(request.GET.get("submissions")),
        "events": Paginator(challenge.events.all(), PER_PAGE).get_page(request.GET.get("events")),
    }
    return render(request, "challenges/host.html", context)

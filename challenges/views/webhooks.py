"""The webhook of a member of a team."""

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from challenges.models import TeamWebhook
from challenges.views.fetch import fetch_challenge, fetch_own_team
from challenges.views.taking_part import show_team_page
from studies.views.webhook_form import remove_webhook_of, save_webhook_form


@login_required
@require_POST
@never_cache
def save(request: HttpRequest, slug: str) -> HttpResponse:
    challenge = fetch_challenge(request, slug)
    team = fetch_own_team(request, challenge)
    show = partial(show_team_page, request, challenge, team)
    return save_webhook_form(request, TeamWebhook, show=show, member=team.members.get(user=request.user))


@login_required
@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    team = fetch_own_team(request, fetch_challenge(request, slug))
    remove_webhook_of(request, TeamWebhook, member=team.members.get(user=request.user))
    return redirect("challenges:team", slug)

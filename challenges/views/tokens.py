"""Tokens with which programs submit for a team."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from challenges.errors import ChallengeRefused
from challenges.forms.tokens import TokenForm
from challenges.taking_part.tokens import list_tokens, make_team_token, revoke_team_token
from challenges.views.fetch import fetch_challenge, fetch_own_team
from challenges.views.taking_part import show_team_page
from studies.views.refusals import refusals_in


@login_required
@require_POST
@never_cache
def make_token(request: HttpRequest, slug: str) -> HttpResponse:
    challenge = fetch_challenge(request, slug)
    team, form = fetch_own_team(request, challenge), TokenForm(request.POST)
    if form.is_valid():
        with refusals_in(form, ChallengeRefused, capital=True):
            _, secret = make_team_token(team, by=request.user, now=timezone.now(), **form.cleaned_data)
            # Shown without a redirect, which would require storing the secret.
            return show_team_page(request, challenge, team, status=201, secret=secret, form=TokenForm())
    return show_team_page(request, challenge, team, status=422, form=form)


@login_required
@require_POST
def revoke_token(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    challenge = fetch_challenge(request, slug)
    token = get_object_or_404(list_tokens(fetch_own_team(request, challenge), made_by=request.user), pk=pk)
    revoke_team_token(token, now=timezone.now())
    messages.success(request, "The token has been revoked.")
    return redirect("challenges:team", slug)

"""The webhook of a member of a team."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from challenges.forms.webhooks import WebhookForm
from challenges.submissions.webhooks import remove_webhook, set_webhook
from challenges.views.fetch import fetch_challenge, fetch_own_team
from challenges.views.taking_part import show_team_page
from studies.webhooks.policy import WebhookRefused


@login_required
@require_POST
@never_cache
def save(request: HttpRequest, slug: str) -> HttpResponse:
    challenge = fetch_challenge(request, slug)
    team, form = fetch_own_team(request, challenge), WebhookForm(request.POST)
    if form.is_valid():
        member = team.members.get(user=request.user)
        site = request.build_absolute_uri("/")
        try:
            secret = set_webhook(member, url=form.cleaned_data["url"], site=site, now=timezone.now())
        except WebhookRefused as refusal:
            form.add_error("url", f"{capfirst(str(refusal))}.")
        else:
            # Shown without a redirect, which would require storing the secret.
            return show_team_page(request, challenge, team, status=201, webhook_secret=secret)
    return show_team_page(request, challenge, team, status=422, webhook_form=form)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    team = fetch_own_team(request, fetch_challenge(request, slug))
    remove_webhook(team.members.get(user=request.user))
    messages.success(request, "The webhook has been removed.")
    return redirect("challenges:team", slug)

"""Taking part: terms, a new team, and invitations to a team."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from challenges.errors import ChallengeRefused
from challenges.forms.taking_part import TeamForm, TermsForm
from challenges.forms.tokens import TokenForm
from challenges.models import Challenge, Submission, Team, TeamWebhook
from challenges.taking_part.teams import (
    INVITATION_LASTS,
    find_invitation,
    find_team,
    invite_member,
    join_team,
    make_team,
)
from challenges.taking_part.terms import accept_terms, has_accepted
from challenges.taking_part.tokens import list_tokens
from challenges.views.challenge import describe_challenge
from challenges.views.fetch import fetch_challenge, fetch_own_team
from studies.forms.access.webhook import WebhookForm
from studies.views.refusals import refusals_in
from studies.webhooks.policy import read_policy

_CHANGES = ("save", "remove")
PER_PAGE = 25


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str) -> HttpResponse:
    challenge, now = fetch_challenge(request, slug), timezone.now()
    if find_team(challenge, user=request.user):
        return redirect("challenges:team", slug)
    needs_terms = not has_accepted(challenge, user=request.user)
    form = TeamForm(request.POST if request.method == "POST" else None, needs_terms=needs_terms)
    if request.method == "POST" and form.is_valid():
        name, affiliation = form.cleaned_data["name"], form.cleaned_data["affiliation"]
        with refusals_in(form, ChallengeRefused, capital=True):
            with transaction.atomic():
                if needs_terms:
                    accept_terms(challenge, user=request.user, now=now)
                make_team(challenge, user=request.user, name=name, affiliation=affiliation, now=now)
            messages.success(
                request, "Your team takes part. You can upload results now, and invite others to the team."
            )
            return redirect("challenges:team", slug)
    context = {**describe_challenge(request, challenge, tab="challenges:join"), "form": form}
    return render(request, "challenges/join.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    now = timezone.now()
    invitation = find_invitation(token, now=now)
    if invitation is None:
        raise Http404("the invitation is unknown, used or expired")
    challenge = invitation.team.challenge
    needs_terms = not has_accepted(challenge, user=request.user)
    form = TermsForm(request.POST if request.method == "POST" else None, needs_terms=needs_terms)
    if request.method == "POST" and form.is_valid():
        with refusals_in(form, ChallengeRefused, capital=True):
            with transaction.atomic():
                if needs_terms:
                    accept_terms(challenge, user=request.user, now=now)
                join_team(token, user=request.user, now=now)
            messages.success(request, f"You are in the team {invitation.team.name} now.")
            return redirect("challenges:team", challenge.slug)
    context = {"invitation": invitation, "challenge": challenge, "form": form, "section": "challenges"}
    return render(request, "challenges/invitation.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
@never_cache
def show_team(request: HttpRequest, slug: str) -> HttpResponse:
    challenge = fetch_challenge(request, slug)
    return show_team_page(request, challenge, fetch_own_team(request, challenge))


@login_required
@require_POST
@never_cache
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    challenge = fetch_challenge(request, slug)
    team = fetch_own_team(request, challenge)
    try:
        token = invite_member(team, by=request.user, now=timezone.now())
    except ChallengeRefused as refusal:
        messages.error(request, f"{capfirst(str(refusal))}.")
        return redirect("challenges:team", slug)
    # Shown without a redirect, which would require storing the secret.
    link = request.build_absolute_uri(reverse("challenges:invitation", args=[token]))
    return show_team_page(request, challenge, team, status=201, invitation_link=link)


@login_required
@require_POST
def switch_mail(request: HttpRequest, slug: str) -> HttpResponse:
    """Turn mails at the end of submissions on or off for the person."""
    team = fetch_own_team(request, fetch_challenge(request, slug))
    wants = request.POST.get("wants") == "yes"
    team.members.filter(user=request.user).update(wants_mail=wants)
    told = (
        "You will get an e-mail when a submission has been scored or has failed."
        if wants
        else "You will no longer get these e-mails."
    )
    messages.success(request, told)
    return redirect("challenges:team", slug)


def show_team_page(
    request: HttpRequest, challenge: Challenge, team: Team, *, status: int = 200, **extra: Any
) -> HttpResponse:
    """Show the team with its members and the history of its submissions."""
    submissions = Submission.objects.filter(team=team).select_related("phase", "made_by").order_by("-pk")
    members = team.members.select_related("user")
    context = {
        **describe_challenge(request, challenge, tab="challenges:team"),
        "members": members,
        "has_room": len(members) < challenge.team_size,
        "days": INVITATION_LASTS.days,
        "phases": challenge.phases.all(),
        "page": Paginator(submissions, PER_PAGE).get_page(request.GET.get("page")),
        "tokens": list_tokens(team, made_by=request.user),
        "wants_mail": any(each.wants_mail for each in members if each.user_id == request.user.pk),
        "now": timezone.now(),
        "form": TokenForm(),
        "webhook": TeamWebhook.objects.filter(member__team=team, member__user=request.user).first(),
        "webhook_form": WebhookForm(),
        "webhook_urls": {each: reverse(f"challenges:webhook_{each}", args=[challenge.slug]) for each in _CHANGES},
        "has_webhooks": read_policy().is_enabled,
        **extra,
    }
    return render(request, "challenges/team.html", context, status=status)

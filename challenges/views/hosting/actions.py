"""The actions of hosts, each on a page that says what it does and asks for the reason."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from challenges.errors import ChallengeRefused
from challenges.forms.hosting import CopyForm, DeadlineForm, LimitForm, ReasonForm
from challenges.hosting import actions
from challenges.hosting.actions import (
    close_challenge,
    disqualify,
    extend_deadline,
    open_challenge,
    raise_limit,
    reinstate,
    rescore,
)
from challenges.hosting.creation import clone_challenge
from challenges.models import Challenge
from challenges.views.challenge import describe_challenge
from challenges.views.fetch import fetch_hosted_challenge, fetch_hosted_submission, fetch_phase
from studies.views.fetch import who_and_when
from studies.views.refusals import refusals_in, refusals_to


@dataclass(frozen=True, slots=True)
class Page:
    """The texts of the page of an action."""

    title: str
    text: str
    button: str
    done: str


@login_required
@require_POST
def open_for_teams(request: HttpRequest, slug: str) -> HttpResponse:
    challenge = fetch_hosted_challenge(request, slug)
    with refusals_to(request, ChallengeRefused, capital=True):
        open_challenge(challenge, **who_and_when(request))
        messages.success(request, "The challenge is open.")
    return redirect("challenges:host", slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str) -> HttpResponse:
    challenge, form = fetch_hosted_challenge(request, slug), ReasonForm(_read(request))
    page = Page(
        title="Close the challenge",
        text="No phase accepts submissions any more. You can open the challenge again.",
        button="Close the challenge",
        done="The challenge is closed.",
    )
    return _act(
        request, challenge, form, page, lambda given: close_challenge(challenge, **given, **who_and_when(request))
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def extend(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    challenge = fetch_hosted_challenge(request, slug)
    found = fetch_phase(challenge, phase)
    page = Page(
        title=f"Extend the deadline of “{found.title}”",
        text="The phase accepts submissions until the new deadline. It cannot be made earlier.",
        button="Extend the deadline",
        done="The deadline has been extended.",
    )
    form = DeadlineForm(_read(request), phase=found)
    return _act(request, challenge, form, page, lambda given: extend_deadline(found, **given, **who_and_when(request)))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def score_again(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    challenge = fetch_hosted_challenge(request, slug)
    found, form = fetch_phase(challenge, phase), ReasonForm(_read(request))
    page = Page(
        title=f"Score “{found.title}” again",
        text="All scored submissions of the phase are queued again, and keep their scores until then.",
        button="Score again",
        done="The submissions have been queued.",
    )
    return _act(request, challenge, form, page, lambda given: rescore(found, **given, **who_and_when(request)))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def make_final(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    challenge = fetch_hosted_challenge(request, slug)
    found, form = fetch_phase(challenge, phase), forms.Form(_read(request))
    page = Page(
        title=f"Make the leaderboard of “{found.title}” final",
        text="The leaderboard is stored as it is now, with a digest, and never changes. The phase must be over.",
        button="Make the leaderboard final",
        done="The leaderboard is final.",
    )
    return _act(request, challenge, form, page, lambda _: actions.make_final(found, **who_and_when(request)))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def raise_team_limit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    challenge = fetch_hosted_challenge(request, slug)
    team = get_object_or_404(challenge.teams.filter(is_baseline=False), pk=pk)
    page = Page(
        title=f"Raise the limit of the team {team.name}",
        text="These limits replace those of the phase, for this team only.",
        button="Raise the limit",
        done="The limit has been raised.",
    )
    form = LimitForm(_read(request), challenge=challenge)
    return _act(request, challenge, form, page, lambda given: raise_limit(team=team, **given, **who_and_when(request)))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def disqualify_submission(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    challenge, form = fetch_hosted_challenge(request, slug), ReasonForm(_read(request))
    submission = fetch_hosted_submission(challenge, token)
    page = Page(
        title=f"Disqualify {submission.name}",
        text=f"This submission of the team {submission.team.name} is removed from the leaderboard, but still counts "
        "towards the limits. It can be reinstated.",
        button="Disqualify the submission",
        done="The submission has been disqualified.",
    )
    return _act(request, challenge, form, page, lambda given: disqualify(submission, **given, **who_and_when(request)))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reinstate_submission(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    challenge, form = fetch_hosted_challenge(request, slug), ReasonForm(_read(request))
    submission = fetch_hosted_submission(challenge, token)
    page = Page(
        title=f"Reinstate {submission.name}",
        text=f"This submission of the team {submission.team.name} is on the leaderboard again.",
        button="Reinstate the submission",
        done="The submission has been reinstated.",
    )
    return _act(request, challenge, form, page, lambda given: reinstate(submission, **given, **who_and_when(request)))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    challenge, form = fetch_hosted_challenge(request, slug), CopyForm(_read(request))
    page = Page(
        title="Copy the challenge",
        text="The copy is a draft that you own, with the same phases, and without teams and submissions.",
        button="Create a copy",
        done="The copy is a draft.",
    )

    def act(given: dict[str, Any]) -> Challenge:
        return clone_challenge(challenge, slug=given["slug"], owner=request.user, **who_and_when(request))

    return _act(request, challenge, form, page, act)


def _act(
    request: HttpRequest, challenge: Challenge, form: forms.Form, page: Page, act: Callable[[dict[str, Any]], Any]
) -> HttpResponse:
    """Show the form of an action, or do it and return to the page of hosts, of the copy if one was made."""
    if request.method == "POST" and form.is_valid():
        with refusals_in(form, ChallengeRefused, capital=True):
            made = act(form.cleaned_data)
            messages.success(request, page.done)
            return redirect("challenges:host", made.slug if isinstance(made, Challenge) else challenge.slug)
    context = {**describe_challenge(request, challenge, tab="challenges:host_action"), "form": form, "page": page}
    return render(request, "challenges/host_action.html", context, status=422 if form.errors else 200)


def _read(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None

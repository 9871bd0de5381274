"""Pages on which hosts list, add and remove the baselines of a phase."""

from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from challenges.baselines.adding import add_baseline, list_baselines
from challenges.baselines.removing import remove_baseline
from challenges.errors import ChallengeRefused
from challenges.forms.baselines import BaselineForm
from challenges.forms.hosting import ReasonForm
from challenges.models import Phase
from challenges.views.challenge import describe_challenge
from challenges.views.fetch import fetch_hosted_challenge, fetch_hosted_submission, fetch_phase
from studies.views.fetch import who_and_when
from studies.views.refusals import refusals_in

_ADDING: Final = (
    "A baseline is checked and scored like a submission. It is shown on the leaderboard without a rank, marked as a "
    "baseline, and does not count towards any limit. Nobody can download its captions.",
    "A common caption is the most frequent caption of the training images that you give, for every image. These must "
    "be other images than those of the phase: the most frequent private reference would reveal something about them. "
    "For human captions, one reference of each image is held out and scored against the others, which is one "
    "fewer than for teams; nobody sees which, but the scores depend on the references, and the bound includes them.",
    "Captions of nearest neighbours need features of all images, which are too large to upload here: use the command "
    "add_baseline, or write the captions with python -m captioning and upload the file.",
)


@login_required
@require_safe
@never_cache
def show_baselines(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    found = _fetch(request, slug, phase)
    context = {
        **describe_challenge(request, found.challenge, tab="challenges:baselines"),
        "phase": found,
        "baselines": [(each, each.submission) for each in list_baselines(found)],
    }
    return render(request, "challenges/baselines.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_baseline(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    found = _fetch(request, slug, phase)
    is_sent = request.method == "POST"
    form = BaselineForm(request.POST, request.FILES) if is_sent else BaselineForm()
    if is_sent and form.is_valid():
        with refusals_in(form, ChallengeRefused, capital=True):
            add_baseline(found, form.new, **who_and_when(request))
            messages.success(request, "The baseline is being checked and scored.")
            return redirect("challenges:baselines", slug, phase)
    page = {
        "title": f"Add a baseline to “{found.title}”",
        "texts": (*_ADDING, f"A browser can upload {settings.ACCORDANCE_UPLOAD_MB:,} MB."),
        "button": "Add the baseline",
    }
    return _show_form(request, found, form, page)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    submission = fetch_hosted_submission(fetch_hosted_challenge(request, slug), token)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_in(form, ChallengeRefused, capital=True):
            remove_baseline(submission, **form.cleaned_data, **who_and_when(request))
            messages.success(request, "The baseline has been removed.")
            return redirect("challenges:baselines", slug, submission.phase.slug)
    page = {
        "title": f"Remove the baseline {submission.team.name}",
        "texts": (
            "It is removed from the leaderboard permanently, and its captions are deleted. You can add it again.",
        ),
        "button": "Remove the baseline",
    }
    return _show_form(request, submission.phase, form, page)


def _fetch(request: HttpRequest, slug: str, phase: str) -> Phase:
    return fetch_phase(fetch_hosted_challenge(request, slug), phase)


def _show_form(request: HttpRequest, phase: Phase, form: Any, page: dict[str, Any]) -> HttpResponse:
    shown = describe_challenge(request, phase.challenge, tab="challenges:baselines")
    context = {**shown, "phase": phase, "form": form, "page": page}
    return render(request, "challenges/baseline_form.html", context, status=422 if form.errors else 200)

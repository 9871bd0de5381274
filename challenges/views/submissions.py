"""Uploading results to a phase, and the page of a submission."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from challenges.enums import ENDED, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.forms.uploading import UploadForm
from challenges.models import Phase, Submission, Team
from challenges.rules import CHANGE_SUBMISSION
from challenges.submissions.cancelling import cancel_submission
from challenges.submissions.hiding import set_hidden
from challenges.submissions.receiving import receive_chunks
from challenges.submissions.scoring_jobs import SCORE_SUBMISSION
from challenges.submissions.uploads import check_open, list_unfinished
from challenges.taking_part.limits import count_usage
from challenges.taking_part.teams import find_team
from challenges.views.challenge import describe_challenge, describe_phase
from challenges.views.fetch import fetch_challenge, fetch_phase, fetch_submission
from jobs.page_fragment import describe_job
from jobs.requests import find_job
from metrics_plugins.readers.results import MAX_BYTES
from studies.views.datasets.uploads import limit_upload
from studies.views.refusals import refusals_in, refusals_to


def _refuse_large(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    form, found = UploadForm(), fetch_phase(fetch_challenge(request, slug), phase)
    problem = (
        f"A browser can upload at most {settings.ACCORDANCE_UPLOAD_MB:,} MB at once: send a zip file, or use the API."
    )
    return _show_phase(request, found, form, status=413, problem=problem)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limit_upload(_refuse_large)
def show_phase(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Show what to upload in a phase, and receive it."""
    found = fetch_phase(fetch_challenge(request, slug), phase)
    if request.method != "POST":
        return _show_phase(request, found, UploadForm())
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    team = find_team(found.challenge, user=request.user)
    if team is None:
        raise PermissionDenied("Join the challenge with a team first.")
    form = UploadForm(request.POST, request.FILES)
    if form.is_valid():
        with refusals_in(form, ChallengeRefused, capital=True):
            submission = _receive(request, found, team=team, form=form)
            return redirect("challenges:submission", slug, submission.token)
    return _show_phase(request, found, form, status=422)


@login_required
@require_safe
@never_cache
def show_submission(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    submission = fetch_submission(request, slug, token)
    return _show_submission(request, submission, template="challenges/submission.html")


@login_required
@require_safe
@never_cache
def show_submission_progress(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show the part of a submission's page that is reloaded."""
    submission = fetch_submission(request, slug, token)
    return _show_submission(request, submission, template="challenges/submission_progress.html")


@login_required
@require_POST
def cancel(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    submission = _fetch_own(request, slug, token)
    with refusals_to(request, ChallengeRefused, capital=True):
        cancel_submission(submission, reason=f"Cancelled by {request.user.get_username()}.", now=timezone.now())
        messages.success(request, "The submission has been cancelled and does not count.")
    return redirect("challenges:submission", slug, token)


@login_required
@require_POST
def hide(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    told = "The submission is hidden from the leaderboard, but still counts towards the limits."
    return _set_hidden(request, slug, token, is_hidden=True, told=told)


@login_required
@require_POST
def show_again(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    return _set_hidden(request, slug, token, is_hidden=False, told="The submission is on the leaderboard again.")


def _set_hidden(request: HttpRequest, slug: str, token: str, *, is_hidden: bool, told: str) -> HttpResponse:
    submission = _fetch_own(request, slug, token)
    with refusals_to(request, ChallengeRefused, capital=True):
        set_hidden(submission, is_hidden=is_hidden, now=timezone.now())
        messages.success(request, told)
    return redirect("challenges:submission", slug, token)


def _fetch_own(request: HttpRequest, slug: str, token: str) -> Submission:
    submission = fetch_submission(request, slug, token)
    if not request.user.has_perm(CHANGE_SUBMISSION, submission):
        raise PermissionDenied("Only the team may change its submission.")
    return submission


def _receive(request: HttpRequest, phase: Phase, *, team: Team, form: UploadForm) -> Submission:
    file = form.cleaned_data["file"]
    return receive_chunks(
        phase,
        team=team,
        user=request.user,
        name=file.name,
        n_bytes=file.size,
        chunks=file.chunks(),
        description=form.cleaned_data["description"],
        now=timezone.now(),
    )


def _show_phase(
    request: HttpRequest, phase: Phase, form: UploadForm, *, status: int = 200, problem: str = ""
) -> HttpResponse:
    now = timezone.now()
    shown = describe_challenge(request, phase.challenge, tab="challenges:phase")
    refusal = ""
    if shown["team"]:
        try:
            check_open(phase, team=shown["team"], now=now)
        except ChallengeRefused as error:
            refusal = f"{capfirst(str(error))}."
    context = {
        **shown,
        **describe_phase(phase, user=request.user, now=now),
        "form": form,
        "problem": problem,
        "refusal": refusal,
        "usage": count_usage(phase, team=shown["team"], now=now) if shown["team"] else None,
        "unfinished": list_unfinished(phase, team=shown["team"]) if shown["team"] else (),
        "most_mb": settings.ACCORDANCE_UPLOAD_MB,
        "most_bytes": MAX_BYTES,
    }
    return render(request, "challenges/phase.html", context, status=status)


def _show_submission(request: HttpRequest, submission: Submission, *, template: str) -> HttpResponse:
    now, phase = timezone.now(), submission.phase
    job = find_job(SCORE_SUBMISSION, key=str(submission.pk), under_way=True)
    is_failed = submission.state == SubmissionState.FAILED
    context: dict[str, Any] = {
        **describe_challenge(request, phase.challenge, tab="challenges:submission"),
        "submission": submission,
        "phase": phase,
        "scores": submission.scores.all(),
        "problems": submission.reason.splitlines() if is_failed else [],
        "progress": describe_job(job, user=request.user, again=request.path, now=now) if job else None,
        "is_moving": submission.state not in (*ENDED, SubmissionState.RECEIVING),
        "may_cancel": submission.state not in ENDED and request.user.has_perm(CHANGE_SUBMISSION, submission),
        "may_change": request.user.has_perm(CHANGE_SUBMISSION, submission),
        "usage": count_usage(phase, team=submission.team, now=now),
    }
    return render(request, template, context)

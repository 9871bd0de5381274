"""Creates a study from files, which a job checks first; the page shows the content and all errors."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from jobs.enums import JobState
from jobs.models import Job
from studies.datasets.drafts.checks import Preview, UploadHasFaults
from studies.datasets.drafts.upload_jobs import (
    ask_for_draft,
    discard_upload,
    find_upload_job,
    send_again,
    send_upload,
)
from studies.datasets.staged_uploads import Staged, find_staged
from studies.forms.new_study import NewStudyForm
from studies.shared.errors import ImportFailed
from studies.views.datasets.uploads import limit_upload
from studies.views.fetch import make_actor

FAULTS_PER_PAGE = 50


def _refuse_large(request: HttpRequest, **_: str) -> HttpResponse:
    most = settings.ACCORDANCE_UPLOAD_MB
    problem = f"At most {most:,} MB can be uploaded at once; create larger studies with manage.py create_study."
    context = {"form": NewStudyForm(), "problem": problem, "section": "studies"}
    return render(request, "studies/new_study.html", context, status=413)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload(_refuse_large)
def new_study(request: HttpRequest) -> HttpResponse:
    form = NewStudyForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            staged, _ = send_upload(
                choices=form.choices, files=form.sent, actor=make_actor(request), now=timezone.now()
            )
        except ImportFailed as refusal:
            form.add_error(None, f"{refusal}.")
        else:
            return redirect("studies:upload", staged.token)
    status = 422 if form.errors else 200
    return render(request, "studies/new_study.html", {"form": form, "section": "studies"}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload(_refuse_large)
def show_upload(request: HttpRequest, token: str) -> HttpResponse:
    """Show an upload and its progress; resubmitted files and choices replace the previous ones."""
    job = find_upload_job(token, user=request.user)
    if job is not None and job.result and "study" in job.result:
        return _lead_to_study(request, job.result)
    staged = _fetch(request, token)
    if request.method != "POST":
        return _render(request, staged, NewStudyForm(initial=dict(staged.choices), keeps=["items"]), job=job)
    form = NewStudyForm(request.POST, request.FILES, keeps=["items"])
    if form.is_valid():
        try:
            send_again(staged, choices=form.choices, files=form.sent, actor=make_actor(request), now=timezone.now())
        except ImportFailed as refusal:
            form.add_error(None, f"{refusal}.")
        else:
            return redirect("studies:upload", staged.token)
    return _render(request, staged, form, job=job, status=422)


@login_required
@require_POST
def make_study(request: HttpRequest, token: str) -> HttpResponse:
    staged = _fetch(request, token)
    try:
        ask_for_draft(staged, actor=make_actor(request), now=timezone.now())
    except UploadHasFaults:
        messages.error(request, "The files have errors; no study was created.")
    except ImportFailed as refusal:
        messages.error(request, f"{refusal}.")
    return redirect("studies:upload", staged.token)


@login_required
@require_POST
def discard(request: HttpRequest, token: str) -> HttpResponse:
    discard_upload(_fetch(request, token), now=timezone.now())
    messages.success(request, "The upload has been deleted.")
    return redirect("studies:new")


def _fetch(request: HttpRequest, token: str) -> Staged:
    staged = find_staged(token, user=request.user, now=timezone.now())
    if staged is None or "start" not in staged.choices:
        raise Http404("uploads are kept for one day and are visible only to the user who sent them")
    return staged


def _lead_to_study(request: HttpRequest, made: Mapping[str, Any]) -> HttpResponse:
    messages.success(
        request,
        f"Created a draft with {made['n_images']:,} images and {made['n_tasks']:,} tasks. Next, complete the design.",
    )
    return redirect("studies:design", made["study"])


def _render(
    request: HttpRequest, staged: Staged, form: NewStudyForm, *, job: Job | None, status: int = 200
) -> HttpResponse:
    preview = Preview.from_json(staged.checked) if staged.checked else None
    faults = preview.faults if preview else ()
    context: dict[str, Any] = {
        "staged": staged,
        "preview": preview,
        "job": job if job and (job.is_under_way or job.state != JobState.DONE) else None,
        "faults": Paginator(faults, FAULTS_PER_PAGE).get_page(request.GET.get("faults")),
        "form": form,
        "section": "studies",
    }
    return render(request, "studies/upload.html", context, status=status)

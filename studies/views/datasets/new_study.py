"""Creates a study from files, which a job checks first; the page shows the content and all errors."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from jobs.enums import JobState
from jobs.models import Job
from studies.datasets.drafts.checks import Preview, UploadHasFaults
from studies.datasets.drafts.findings import group_faults
from studies.datasets.drafts.unfinished import list_unfinished
from studies.datasets.drafts.upload_jobs import ask_for_draft, find_upload_job, send_again, send_upload
from studies.datasets.staged_uploads import Staged
from studies.forms.new_study import NewStudyForm, fill_new_study_form
from studies.shared.errors import ImportFailed
from studies.views.datasets.uploads import delete_upload, explain_size_limit, fetch_upload, limit_upload
from studies.views.fetch import who_and_when
from studies.views.refusals import refusals_in

GROUPS_PER_PAGE = 50


def _refuse_large(request: HttpRequest, **_: str) -> HttpResponse:
    return _render_new(request, NewStudyForm(), status=413, problem=explain_size_limit())


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload(_refuse_large)
def new_study(request: HttpRequest) -> HttpResponse:
    form = NewStudyForm(request.POST, request.FILES) if request.method == "POST" else NewStudyForm()
    if request.method == "POST" and form.is_valid():
        with refusals_in(form, ImportFailed):
            staged, _ = send_upload(choices=form.choices, files=form.sent, **who_and_when(request))
            return redirect("studies:upload", staged.token)
    elif request.method == "POST" and form.has_items:
        kept = _keep_files(request, form)
        if kept is not None:
            return redirect("studies:upload", kept.token)
    return _render_new(request, form, status=422 if form.errors else 200)


def _keep_files(request: HttpRequest, form: NewStudyForm) -> Staged | None:
    """Store the files of a form that was refused, which a browser would forget; None if there is no room."""
    with refusals_in(form, ImportFailed):
        staged, _ = send_upload(choices=form.kept, files=form.sent, **who_and_when(request))
        messages.warning(request, "The files have been kept. Correct the errors under “Change the upload”.")
        return staged
    return None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload(_refuse_large)
def show_upload(request: HttpRequest, token: str) -> HttpResponse:
    """Show an upload and its progress; resubmitted files and choices replace the previous ones."""
    job = find_upload_job(token, user=request.user)
    if job is not None and job.result and "n_images" in job.result:
        return _lead_to_study(request, job.result)
    staged = fetch_upload(request, token, of_data=False)
    if request.method != "POST":
        return _render(request, staged, fill_new_study_form(staged.choices), job=job)
    form = NewStudyForm(request.POST, request.FILES, keeps=["items"])
    if form.is_valid():
        with refusals_in(form, ImportFailed):
            send_again(staged, choices=form.choices, files=form.sent, **who_and_when(request))
            return redirect("studies:upload", staged.token)
    elif any(form.sent.values()):
        return _keep_again(request, staged, form, job=job)
    return _render(request, staged, form, job=job, status=422)


def _keep_again(request: HttpRequest, staged: Staged, form: NewStudyForm, *, job: Job | None) -> HttpResponse:
    """Store the files of a form that was refused beside those that were sent before."""
    with refusals_in(form, ImportFailed):
        send_again(staged, choices=form.kept, files=form.sent, **who_and_when(request))
        return redirect("studies:upload", staged.token)
    return _render(request, staged, form, job=job, status=422)


@login_required
@require_POST
def make_study(request: HttpRequest, token: str) -> HttpResponse:
    staged = fetch_upload(request, token, of_data=False)
    try:
        ask_for_draft(staged, **who_and_when(request))
    except UploadHasFaults:
        messages.error(request, "The files have errors; no study was created.")
    except ImportFailed as refusal:
        messages.error(request, f"{refusal}.")
    return redirect("studies:upload", staged.token)


@login_required
@require_POST
def discard(request: HttpRequest, token: str) -> HttpResponse:
    return delete_upload(request, fetch_upload(request, token, of_data=False), next_page="studies:new")


def _lead_to_study(request: HttpRequest, made: Mapping[str, Any]) -> HttpResponse:
    messages.success(
        request,
        f"Created a draft with {made['n_images']:,} images and {made['n_tasks']:,} tasks. Next, complete the design.",
    )
    return redirect("studies:design", made["study"])


def _render_new(request: HttpRequest, form: NewStudyForm, *, status: int, problem: str = "") -> HttpResponse:
    unfinished = list_unfinished(request.user, now=timezone.now()) if request.user.is_authenticated else ()
    context = {"form": form, "problem": problem, "unfinished": unfinished, "section": "studies"}
    return render(request, "studies/new_study.html", context, status=status)


def _list_first_rows(rows: Sequence[Sequence[str]], pictures: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the rows, each with the address of its picture, which may be empty."""
    return [{"cells": cells, "picture": picture} for cells, picture in zip_longest(rows, pictures, fillvalue="")]


def _render(
    request: HttpRequest, staged: Staged, form: NewStudyForm, *, job: Job | None, status: int = 200
) -> HttpResponse:
    preview = Preview.from_json(staged.checked) if staged.checked else None
    groups = group_faults(preview.faults) if preview else ()
    pictures = staged.checked.get("pictures", [])
    context: dict[str, Any] = {
        "first_rows": _list_first_rows(preview.rows, pictures) if preview else [],
        "has_pictures": any(pictures),
        "first_references": _list_first_rows(preview.reference_rows) if preview else [],
        "must_change": bool(preview is None or preview.faults or form.errors),
        "staged": staged,
        "preview": preview,
        "job": job if job and (job.is_under_way or job.state != JobState.DONE) else None,
        "groups": Paginator(groups, GROUPS_PER_PAGE).get_page(request.GET.get("faults")),
        "form": form,
        "section": "studies",
    }
    return render(request, "studies/upload.html", context, status=status)

"""Imports judgments that were collected elsewhere: a table, or the files of a published data set, read by a job."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from jobs.models import Job
from studies.datasets.drafts.upload_jobs import find_upload_job, send_again, send_data
from studies.datasets.staged_uploads import Staged
from studies.forms.imports import ImportForm, fill_import_form
from studies.shared.errors import ImportFailed
from studies.views.datasets.uploads import delete_upload, explain_size_limit, fetch_upload, limit_upload
from studies.views.fetch import who_and_when
from studies.views.refusals import refusals_in


def _refuse_large(request: HttpRequest, **_: str) -> HttpResponse:
    return _render(request, ImportForm(), status=413, problem=explain_size_limit())


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload(_refuse_large)
def new_import(request: HttpRequest) -> HttpResponse:
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        with refusals_in(form, ImportFailed):
            staged, _ = send_data(choices=form.choices, files=form.sent, **who_and_when(request))
            return redirect("studies:import", staged.token)
    return _render(request, form, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload(_refuse_large)
def show_import(request: HttpRequest, token: str) -> HttpResponse:
    """Show the progress of an import; what is sent again replaces the files and choices."""
    job = find_upload_job(token, user=request.user)
    if job is not None and job.result and "text" in job.result:
        messages.success(request, f"Imported: {job.result['text']}")
        return redirect("studies:study", job.result["study"])
    staged = fetch_upload(request, token, of_data=True)
    if request.method != "POST":
        form = ImportForm(initial=fill_import_form(dict(staged.choices)), keeps=True)
        return _render(request, form, staged=staged, job=job)
    form = ImportForm(request.POST, request.FILES, keeps=True)
    if form.is_valid():
        with refusals_in(form, ImportFailed):
            send_again(staged, choices=form.choices, files=form.sent, **who_and_when(request))
            return redirect("studies:import", token)
    return _render(request, form, staged=staged, job=job, status=422)


@login_required
@require_POST
def discard_import(request: HttpRequest, token: str) -> HttpResponse:
    return delete_upload(request, fetch_upload(request, token, of_data=True), next_page="studies:import_new")


def _render(
    request: HttpRequest,
    form: ImportForm,
    *,
    staged: Staged | None = None,
    job: Job | None = None,
    status: int = 200,
    problem: str = "",
) -> HttpResponse:
    context = {"form": form, "staged": staged, "job": job, "problem": problem, "section": "studies"}
    return render(request, "studies/import.html", context, status=status)

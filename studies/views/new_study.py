"""Makes a study of files: what was sent is looked at and shown with all that is wrong, before anything is kept."""

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from studies.domain.drafting.checking import Preview, UploadHasFaults, check_upload, make_draft
from studies.domain.importing.errors import ImportFailed
from studies.domain.staging import Staged, delete_staged, find_staged, keep_files, stage_upload
from studies.forms.new_study import NewStudyForm
from studies.views.fetch import make_actor
from studies.views.uploads import limit_upload

FAULTS_PER_PAGE = 50


def _refuse_large(request: HttpRequest, **_: str) -> HttpResponse:
    most = settings.ACCORDANCE_UPLOAD_MB
    problem = f"At most {most:,} MB can be sent at once; larger studies are made by manage.py create_study."
    context = {"form": NewStudyForm(), "problem": problem, "section": "studies"}
    return render(request, "studies/new_study.html", context, status=413)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload(_refuse_large)
def new_study(request: HttpRequest) -> HttpResponse:
    form = NewStudyForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        staged = stage_upload(request.user, choices=form.choices, now=timezone.now())
        check_upload(keep_files(staged, **form.sent))
        return redirect("studies:upload", staged.token)
    status = 422 if form.errors else 200
    return render(request, "studies/new_study.html", {"form": form, "section": "studies"}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload(_refuse_large)
def show_upload(request: HttpRequest, token: str) -> HttpResponse:
    """Show what was sent; files and choices that are sent again go in place of those before."""
    staged = _fetch(request, token)
    if request.method != "POST":
        return _render(request, staged, NewStudyForm(initial=dict(staged.choices), keeps=["items"]))
    form = NewStudyForm(request.POST, request.FILES, keeps=["items"])
    if not form.is_valid():
        return _render(request, staged, form, status=422)
    check_upload(keep_files(replace(staged, choices=form.choices), **form.sent))
    return redirect("studies:upload", staged.token)


@login_required
@require_POST
def make_study(request: HttpRequest, token: str) -> HttpResponse:
    staged = _fetch(request, token)
    try:
        draft = make_draft(staged, owner=request.user, actor=make_actor(request), now=timezone.now())
    except (UploadHasFaults, ImportFailed) as error:
        messages.error(request, str(error) or "Something is wrong with the files; nothing was made.")
        check_upload(staged)
        return redirect("studies:upload", staged.token)
    messages.success(
        request, f"Made a draft: {draft.n_images:,} images, {draft.n_tasks:,} tasks. Now write its design."
    )
    return redirect("studies:design", draft.study.name)


@login_required
@require_POST
def forget_upload(request: HttpRequest, token: str) -> HttpResponse:
    delete_staged(_fetch(request, token))
    messages.success(request, "What you sent is deleted.")
    return redirect("studies:new")


def _fetch(request: HttpRequest, token: str) -> Staged:
    staged = find_staged(token, user=request.user, now=timezone.now())
    if staged is None:
        raise Http404("uploads are kept for a day, and shown to who sent them only")
    return staged


def _render(request: HttpRequest, staged: Staged, form: NewStudyForm, *, status: int = 200) -> HttpResponse:
    preview = Preview.from_json(staged.checked)
    context: dict[str, Any] = {
        "staged": staged,
        "preview": preview,
        "faults": Paginator(preview.faults, FAULTS_PER_PAGE).get_page(request.GET.get("faults")),
        "form": form,
        "section": "studies",
    }
    return render(request, "studies/upload.html", context, status=status)

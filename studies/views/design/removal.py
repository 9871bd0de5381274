"""Archives a study, takes it out of the archive, and deletes a draft after a confirmation."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from studies.datasets.removal import CannotRemove, archive_study, delete_draft, explain_undeletable, restore_study
from studies.models import Study
from studies.views.fetch import fetch_managed_study, who_and_when


@login_required
@require_safe
def show_removal(request: HttpRequest, name: str) -> HttpResponse:
    return _render(request, fetch_managed_study(request, name))


@login_required
@require_POST
def archive(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_managed_study(request, name)
    return _change(request, study, archive_study, done=f"Archived “{study.title}”.", page="studies:list")


@login_required
@require_POST
def restore(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_managed_study(request, name)
    done = f"“{study.title}” is in the list of studies again."
    return _change(request, study, restore_study, done=done, page="studies:study")


@login_required
@require_POST
def delete(request: HttpRequest, name: str) -> HttpResponse:
    """Delete a draft whose name was typed as a confirmation."""
    study = fetch_managed_study(request, name)
    if request.POST.get("confirmation", "").strip() != study.name:
        return _render(request, study, problem=f"Type the name {study.name} to delete the draft.", status=422)
    return _change(request, study, delete_draft, done=f"Deleted “{study.title}”.", page="studies:list")


def _change(request: HttpRequest, study: Study, change: Callable[..., None], *, done: str, page: str) -> HttpResponse:
    try:
        change(study, **who_and_when(request))
    except CannotRemove as error:
        return _render(request, study, problem=f"{str(error)[:1].upper()}{str(error)[1:]}.", status=422)
    messages.success(request, done)
    return redirect(page) if page == "studies:list" else redirect(page, study.name)


def _render(request: HttpRequest, study: Study, *, problem: str = "", status: int = 200) -> HttpResponse:
    context = {"study": study, "tab": "studies:design", "problem": problem, "reason": explain_undeletable(study)}
    return render(request, "studies/removal.html", context, status=status)

"""Views of the page fragment of a job, and of its cancellation."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from jobs.errors import JobRefused
from jobs.models import Job
from jobs.page_fragment import describe_job, may_cancel, may_see
from jobs.registry import find_kind
from jobs.requests import cancel_job


@login_required
@require_safe
@never_cache
def show_job(request: HttpRequest, token: str) -> HttpResponse:
    """Return the fragment of a job; when the job has ended, make the browser reload the page."""
    job = _fetch(request, token)
    again = _check_address(request, request.GET.get("again", ""))
    response = render(request, "jobs/job.html", describe_job(job, user=request.user, again=again, now=timezone.now()))
    if not job.is_under_way:
        response.headers["HX-Refresh"] = "true"
    return response


@login_required
@require_POST
def cancel(request: HttpRequest, token: str) -> HttpResponse:
    job = _fetch(request, token)
    if not may_cancel(request.user, job):
        raise PermissionDenied("the job belongs to another user")
    try:
        _cancel(job, user=request.user, now=timezone.now())
    except JobRefused as refusal:
        messages.error(request, f"{refusal}.")
    return redirect(_check_address(request, request.POST.get("again", "")) or "/")


def _cancel(job: Job, *, user: Any, now: datetime) -> None:
    kind = find_kind(job.kind)
    if kind and kind.cancel:
        kind.cancel(job, user, now)
    else:
        cancel_job(job, now=now, by=user.get_username())


def _fetch(request: HttpRequest, token: str) -> Job:
    job = Job.objects.filter(token=token).defer("payload", "result").select_related("account").first()
    if job is None or not may_see(request.user, job):
        raise Http404("there is no such job, or it belongs to another user")
    return job


def _check_address(request: HttpRequest, address: str) -> str:
    """Return the address if it belongs to this site, otherwise ""."""
    is_ours = address.startswith("/") and url_has_allowed_host_and_scheme(address, {request.get_host()})
    return address if is_ours else ""

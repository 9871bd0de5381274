"""Reports of a study: their list, creation, and the page of each with its files and links."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from jobs.errors import JobRefused
from jobs.models import Job
from studies.access.sharing import MadeLink, revoke_link, share_report
from studies.forms.fields.term import LinkForm
from studies.forms.report import ReportForm
from studies.models import FrozenReport, ReportLink, Study
from studies.publishing.bundles.errors import BundleRefused
from studies.publishing.bundles.jobs import find_bundle_job, open_bundle
from studies.publishing.freezing import UnknownReport, load_report
from studies.publishing.report_jobs import list_requests, request_report
from studies.publishing.report_pages import NoSuchPart, lay_out, write_part
from studies.rules import ANALYSE_STUDY
from studies.shared.content_types import CONTENT_TYPES
from studies.views.fetch import fetch_analysable_study, fetch_study, make_actor

PER_PAGE = 25


@login_required
@require_safe
def show_reports(request: HttpRequest, name: str) -> HttpResponse:
    return _show_list(request, fetch_study(request, name))


@login_required
@require_POST
def freeze(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_analysable_study(request, name)
    form = ReportForm(request.POST, study=study)
    if not form.is_valid():
        return _show_list(request, study, form=form, status=422)
    try:
        request_report(study, form.read(), actor=make_actor(request), now=timezone.now())
    except JobRefused as refusal:
        messages.error(request, f"{refusal}.")
    else:
        messages.success(request, "The report is being created. It will appear here.")
    return redirect("studies:reports", name)


@login_required
@require_safe
def show_report(request: HttpRequest, name: str, number: int) -> HttpResponse:
    return _show_report(request, fetch_study(request, name), number)


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def download_report(request: HttpRequest, name: str, number: int, part: str, file_format: str) -> HttpResponse:
    frozen, report = _load(fetch_study(request, name), number)
    try:
        content = write_part(frozen, report, part=part, file_format=file_format)
    except NoSuchPart as error:
        raise Http404(str(error)) from error
    return answer_part(request, content, file_name=f"{name}-report-{number}-{part}.{file_format}")


@login_required
@require_safe
@never_cache
def download_bundle(request: HttpRequest, name: str, number: int) -> HttpResponse | FileResponse:
    study = fetch_study(request, name)
    frozen, _ = _load(study, number)
    try:
        bundle = open_bundle(frozen, actor=make_actor(request), now=timezone.now())
    except (BundleRefused, JobRefused) as refusal:
        messages.error(request, f"{refusal}.")
        return redirect("studies:report", name, number)
    if isinstance(bundle, Job):
        return redirect("studies:report", name, number)
    return FileResponse(bundle, as_attachment=True, filename=f"{name}-report-{number}.zip")


@login_required
@require_POST
@never_cache
def share(request: HttpRequest, name: str, number: int) -> HttpResponse:
    study = fetch_analysable_study(request, name)
    frozen = get_object_or_404(FrozenReport.objects.select_related("study"), study=study, number=number)
    form = LinkForm(request.POST)
    if not form.is_valid():
        return _show_report(request, study, number, link_form=form, status=422)
    made = share_report(frozen, actor=make_actor(request), now=timezone.now(), days=form.cleaned_data["days"])
    return _show_report(request, study, number, made=made, status=201)


@login_required
@require_POST
def unshare(request: HttpRequest, name: str, number: int, pk: int) -> HttpResponse:
    study = fetch_analysable_study(request, name)
    links = ReportLink.objects.select_related("report__study")
    link = get_object_or_404(links, pk=pk, report__study=study, report__number=number)
    if revoke_link(link, actor=make_actor(request), now=timezone.now()):
        messages.success(request, "The link has been revoked.")
    return redirect("studies:report", name, number)


def answer_part(request: HttpRequest, content: bytes, *, file_name: str) -> HttpResponse:
    """Answer with a file: a picture for display, or, if requested and for all other formats, a download."""
    file_format = file_name.rpartition(".")[2]
    is_kept = file_format not in ("svg", "png") or "download" in request.GET
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'} if is_kept else {}
    return HttpResponse(content, content_type=CONTENT_TYPES[file_format], headers=headers)


def _load(study: Study, number: int) -> tuple[FrozenReport, object]:
    try:
        return load_report(study, number)
    except UnknownReport as error:
        raise Http404(str(error)) from error


def _describe_list(request: HttpRequest, study: Study) -> dict:
    reports = FrozenReport.objects.filter(study=study).select_related("made_by").defer("content", "facts")
    requests = list(list_requests(study))
    return {
        "study": study,
        "tab": "studies:reports",
        "page": Paginator(reports.order_by("-number"), PER_PAGE).get_page(request.GET.get("page")),
        "requests": requests,
        "is_waiting": any(job.is_under_way for job in requests),
    }


def _show_list(
    request: HttpRequest, study: Study, *, form: ReportForm | None = None, status: int = 200
) -> HttpResponse:
    may_freeze = request.user.has_perm(ANALYSE_STUDY, study)
    context = _describe_list(request, study)
    context["form"] = (form or ReportForm(study=study)) if may_freeze else None
    return render(request, "studies/report_list.html", context, status=status)


def _show_report(
    request: HttpRequest,
    study: Study,
    number: int,
    *,
    made: MadeLink | None = None,
    link_form: LinkForm | None = None,
    status: int = 200,
) -> HttpResponse:
    frozen, report = _load(study, number)
    context = {
        "study": study,
        "tab": "studies:reports",
        "frozen": frozen,
        "shown": lay_out(frozen, report),
        "base": reverse("studies:report", args=[study.name, number]),
        "may_share": request.user.has_perm(ANALYSE_STUDY, study),
        "links": ReportLink.objects.filter(report=frozen, revoked_at=None).select_related("made_by"),
        "link_form": link_form or LinkForm(),
        "now": timezone.now(),
        "made": made,
        "bundle_job": find_bundle_job(frozen),
        "address": request.build_absolute_uri(reverse("studies:shared", args=[made.token])) if made else "",
    }
    return render(request, "studies/report.html", context, status=status)

"""Reports of a study: their list, creation, and the page of each with its files and links."""

from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import version

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from correlation.reports.json_form import read_report
from jobs.errors import JobRefused
from jobs.models import Job
from jobs.results import find_result, keep_result
from studies.access.sharing import MadeLink, revoke_link, share_report
from studies.forms.comment import CommentForm
from studies.forms.design.steps import STEPS, find_place
from studies.forms.fields.term import LinkForm
from studies.forms.report import ReportForm, ReportTitleForm
from studies.models import FrozenReport, ReportLink, Study
from studies.publishing.bundles.errors import BundleRefused
from studies.publishing.bundles.jobs import find_bundle_job, open_bundle
from studies.publishing.freezing import UnknownReport, find_report, title_report
from studies.publishing.methods.vocabulary import FIELDS
from studies.publishing.report_jobs import list_requests, request_report
from studies.publishing.report_pages import NoSuchPart, lay_out, write_part
from studies.rules import ANALYSE_STUDY, MANAGE_STUDY
from studies.shared.content_types import send_file
from studies.views.commented import describe_comments
from studies.views.design.step_contexts import locate_field
from studies.views.fetch import fetch_analysable_study, fetch_managed_study, fetch_study, who_and_when
from studies.views.refusals import refusals_to

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
    with refusals_to(request, JobRefused):
        request_report(study, form.read(), **who_and_when(request))
        messages.success(request, "The report is being created. It will appear here.")
    return redirect("studies:reports", name)


@login_required
@require_safe
def show_report(request: HttpRequest, name: str, number: int) -> HttpResponse:
    return show_report_page(request, fetch_study(request, name), number)


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def download_report(request: HttpRequest, name: str, number: int, part: str, file_format: str) -> HttpResponse:
    frozen = _find(fetch_study(request, name), number)
    file_name = f"{name}-report-{number}-{part}.{file_format}"
    return answer_report_part(request, frozen, part=part, file_format=file_format, file_name=file_name)


@login_required
@require_safe
@never_cache
def download_bundle(request: HttpRequest, name: str, number: int) -> HttpResponse | FileResponse:
    study = fetch_study(request, name)
    frozen = _find(study, number)
    try:
        bundle = open_bundle(frozen, **who_and_when(request))
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
        return show_report_page(request, study, number, link_form=form, status=422)
    made = share_report(frozen, days=form.cleaned_data["days"], **who_and_when(request))
    return show_report_page(request, study, number, made=made, status=201)


@login_required
@require_POST
def unshare(request: HttpRequest, name: str, number: int, pk: int) -> HttpResponse:
    study = fetch_analysable_study(request, name)
    links = ReportLink.objects.select_related("report__study")
    link = get_object_or_404(links, pk=pk, report__study=study, report__number=number)
    if revoke_link(link, **who_and_when(request)):
        messages.success(request, "The link has been revoked.")
    return redirect("studies:report", name, number)


@login_required
@require_POST
def change_title(request: HttpRequest, name: str, number: int) -> HttpResponse:
    study, form = fetch_managed_study(request, name), ReportTitleForm(request.POST)
    if not form.is_valid():
        return show_report_page(request, study, number, title_form=form, status=422)
    frozen, title = _find(study, number), form.cleaned_data["title"]
    if title_report(frozen, title, **who_and_when(request)):
        messages.success(request, "The title has been changed.")
    return redirect("studies:report", name, number)


def answer_report_part(
    request: HttpRequest,
    frozen: FrozenReport,
    *,
    part: str,
    file_format: str,
    file_name: str,
    for_readers: bool = False,
) -> HttpResponse:
    """Answer with a part of a report, which is made once: a report does not change, except for its title."""
    release = version("accordance")
    facts = (frozen.pk, frozen.digest, frozen.shown_title, part, file_format, for_readers, release)
    key = sha256(repr(facts).encode()).hexdigest()
    response = get_conditional_response(request, etag=f'"{key}"')
    if response is None:
        kept = find_result(f"report-part:{key}")
        content = kept.value if kept else _write(frozen, part, file_format, for_readers=for_readers, key=key)
        response = answer_part(request, content, file_name=file_name)
    response["ETag"] = f'"{key}"'
    return response


def _write(frozen: FrozenReport, part: str, file_format: str, *, for_readers: bool, key: str) -> bytes:
    report = read_report(frozen.content)
    try:
        content = write_part(frozen, report, part=part, file_format=file_format, for_readers=for_readers)
    except NoSuchPart as error:
        raise Http404(str(error)) from error
    return keep_result(f"report-part:{key}", content, now=timezone.now())


def answer_part(request: HttpRequest, content: bytes, *, file_name: str) -> HttpResponse:
    """Answer with a file: a picture for display, or, if requested and for all other formats, a download."""
    file_format = file_name.rpartition(".")[2]
    is_shown = file_format in ("svg", "png") and "download" not in request.GET
    return send_file(content, file_name=file_name, is_shown=is_shown)


def _find(study: Study, number: int) -> FrozenReport:
    try:
        return find_report(study, number)
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


def show_report_page(
    request: HttpRequest,
    study: Study,
    number: int,
    *,
    made: MadeLink | None = None,
    link_form: LinkForm | None = None,
    title_form: ReportTitleForm | None = None,
    comment_form: CommentForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show a report; after a refused form with its errors, and after a new link with its address."""
    frozen = _find(study, number)
    shown = lay_out(frozen, read_report(frozen.content))
    context = {
        "study": study,
        "tab": "studies:reports",
        "frozen": frozen,
        "shown": shown,
        "missing": _locate_missing(study, shown.missing),
        "base": reverse("studies:report", args=[study.name, number]),
        "may_share": request.user.has_perm(ANALYSE_STUDY, study),
        "may_publish": request.user.has_perm(MANAGE_STUDY, study),
        "links": ReportLink.objects.filter(report=frozen, revoked_at=None).select_related("made_by"),
        "link_form": link_form or LinkForm(),
        "title_form": title_form or ReportTitleForm(initial={"title": frozen.shown_title}),
        "now": timezone.now(),
        "made": made,
        "bundle_job": find_bundle_job(frozen),
        **describe_comments(request, study, frozen, form=comment_form),
        "address": request.build_absolute_uri(reverse("studies:shared", args=[made.token])) if made else "",
    }
    return render(request, "studies/report.html", context, status=status)


def _locate_missing(study: Study, missing: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return what the methods text lacks, with the step of its field and its address."""
    places = [(each, *find_place(FIELDS[each], kind=study.kind)) for each in missing]
    return [(each, STEPS[step].title, locate_field(study, step, field)) for each, step, field in places]

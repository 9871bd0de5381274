"""Comments on items and reports: writing and deleting them."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from studies.collaboration.comments import add_comment, delete_comment, select_comments
from studies.forms.comment import CommentForm
from studies.models import FrozenReport, Item
from studies.rules import MANAGE_STUDY
from studies.views.fetch import fetch_study, who_and_when
from studies.views.item import fetch_item, show_item_page
from studies.views.publishing.reports import show_report_page


@login_required
@require_POST
def comment_on_item(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    study = fetch_study(request, name)
    item, form = fetch_item(study, pk), CommentForm(request.POST)
    if not form.is_valid():
        return show_item_page(request, study, item, comment_form=form, status=422)
    return _add(request, item, form, page=reverse("studies:item", args=[name, pk]))


@login_required
@require_POST
def comment_on_report(request: HttpRequest, name: str, number: int) -> HttpResponse:
    study = fetch_study(request, name)
    reports = FrozenReport.objects.select_related("study").defer("content", "facts")
    report, form = get_object_or_404(reports, study=study, number=number), CommentForm(request.POST)
    if not form.is_valid():
        return show_report_page(request, study, number, comment_form=form, status=422)
    return _add(request, report, form, page=reverse("studies:report", args=[name, number]))


@login_required
@require_POST
def remove_comment(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    study = fetch_study(request, name)
    comment = get_object_or_404(select_comments(study), pk=pk)
    if comment.author_id != request.user.pk and not request.user.has_perm(MANAGE_STUDY, study):
        raise PermissionDenied("Only the owner of a study may delete other people's comments.")
    page = (
        reverse("studies:item", args=[name, comment.item_id])
        if comment.report is None
        else reverse("studies:report", args=[name, comment.report.number])
    )
    delete_comment(comment, **who_and_when(request))
    messages.success(request, "The comment has been deleted.")
    return redirect(f"{page}#comments")


def _add(request: HttpRequest, on: Item | FrozenReport, form: Any, *, page: str) -> HttpResponse:
    add_comment(on, text=form.cleaned_data["text"], **who_and_when(request))
    return redirect(f"{page}#comments")

"""The list of studies that a person may see; for visitors, of public ones."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from studies.access.offers import list_offers
from studies.access.visibility import visible_studies
from studies.collaboration.feed import find_unread, list_feed
from studies.datasets.drafts.unfinished import list_unfinished
from studies.design.study_lists import summarize_studies
from studies.monitoring.dashboard import add_last_runs, list_waiting
from studies.views.publishing.public import list_public

PER_PAGE = 25
N_RECENT = 6


@require_safe
def show_studies(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return list_public(request)
    visible, is_archive = visible_studies(request.user), "archived" in request.GET
    studies = visible.filter(archived_at__isnull=not is_archive).select_related("dataset").order_by("title", "pk")
    page = Paginator(studies, PER_PAGE).get_page(request.GET.get("page"))
    now = timezone.now()
    context = {
        "page": page,
        "summaries": add_last_runs(summarize_studies(page.object_list)),
        "n_offers": list_offers(request.user, now=now).count(),
        "is_archive": is_archive,
        "n_archived": 0 if is_archive else visible.exclude(archived_at=None).count(),
        "unfinished": list_unfinished(request.user, now=now),
        **describe_dashboard(request),
    }
    return render(request, "studies/study_list.html", context)


def describe_dashboard(request: HttpRequest) -> dict[str, Any]:
    """Return the context of `studies/dashboard.html`: what waits for the person, and what happened last."""
    recent = list(list_feed(request.user)[:N_RECENT])
    return {
        "waiting": list_waiting(request.user),
        "recent": recent,
        "unread": find_unread(request.user, recent),
    }

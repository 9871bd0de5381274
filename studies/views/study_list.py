"""The list of studies that a person may see."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from studies.access.offers import list_offers
from studies.access.visibility import visible_studies
from studies.design.study_lists import summarize_studies

PER_PAGE = 25


@login_required
@require_safe
def show_studies(request: HttpRequest) -> HttpResponse:
    studies = visible_studies(request.user).select_related("dataset").order_by("title", "pk")
    page = Paginator(studies, PER_PAGE).get_page(request.GET.get("page"))
    summaries = summarize_studies(page.object_list)
    n_offers = list_offers(request.user, now=timezone.now()).count()
    return render(request, "studies/study_list.html", {"page": page, "summaries": summaries, "n_offers": n_offers})

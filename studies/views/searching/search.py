"""The page of a search, and its results alone for the dialog that opens by a key."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studies.access.visibility import visible_studies
from studies.models import Study
from studies.views.searching.finding import LONGEST, find_pages


@require_safe
@never_cache
def show_search(request: HttpRequest) -> HttpResponse:
    return render(request, "studies/search.html", _find(request))


@require_safe
@never_cache
def show_results(request: HttpRequest) -> HttpResponse:
    return render(request, "studies/search_results.html", _find(request))


def _find(request: HttpRequest) -> dict[str, Any]:
    query = request.GET.get("q", "")[:LONGEST]
    of_study = _find_study(request)
    groups = find_pages(query, user=request.user, study=of_study)
    return {
        "query": query,
        "of_study": of_study,
        "groups": groups,
        "n_found": sum(len(group.found) for group in groups),
        "longest": LONGEST,
        "section": "search",
    }


def _find_study(request: HttpRequest) -> Study | None:
    """Return the study that the search began in; None if there is none that the person may see."""
    name = request.GET.get("study", "")
    if not name or not request.user.is_authenticated:
        return None
    return visible_studies(request.user).filter(name=name).first()

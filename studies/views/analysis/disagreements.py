"""The disagreement browser: items on which two sides differ most, as pages and as a file."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from correlation.errors import CorrelationInputError
from studies.analysis.cached_results import CachedValue
from studies.analysis.disagreements.cached_ranking import Ranked, find_ranking
from studies.analysis.disagreements.ranking import rank_items
from studies.analysis.disagreements.shown_items import NoTuples, show_items, write_ranking
from studies.analysis.explorer.cached_overview import ask_for, find_opened
from studies.analysis.explorer.loaded_study import NothingToExplore, OpenedStudy, open_study
from studies.forms.analysis.disagreements import DisagreementForm
from studies.scoring.run_lists import list_scored_metrics
from studies.shared.content_types import send_lines
from studies.shared.problems import read_problem
from studies.views.fetch import fetch_study
from studies.views.pending_parts import answer_poll, is_poll, say_again

ITEMS_PER_PAGE = 10
PAGE = "studies:disagreements"


@login_required
@require_safe
def show_disagreements(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    context: dict[str, Any] = {"study": study, "tab": PAGE, "again": say_again(request)}
    asks = {"now": timezone.now(), "wait": "wait" in request.GET, "is_poll": is_poll(request)}
    try:
        asked = ask_for(study)
    except CorrelationInputError as error:
        return render(request, "studies/disagreements.html", {**context, "problem": read_problem(error)})
    seen: CachedValue[Any] = find_opened(asked, **asks)
    form = seen.made and _make_form(request, seen.made)
    if form and not form.is_valid():
        return render(request, "studies/disagreements.html", {**context, "form": form}, status=422)
    if form:
        seen = find_ranking(asked, form.comparison, **asks)
    if is_poll(request):
        return answer_poll(seen.is_pending and seen.made is None)
    context |= {"form": form, "known": seen}
    if isinstance(seen.made, Ranked):
        context |= _show(request, seen.made, with_tuples=bool(form and form.cleaned_data["tuples"]))
    return render(request, "studies/disagreements.html", context)


def _show(request: HttpRequest, found: Ranked, *, with_tuples: bool) -> dict[str, Any]:
    if found.ranking is None:
        return {"problem": found.problem}
    ranking, context = found.ranking, {}
    page = Paginator(range(len(ranking.rows)), ITEMS_PER_PAGE).get_page(request.GET.get("page"))
    start = (page.number - 1) * ITEMS_PER_PAGE
    bounds = {"start": start, "stop": start + ITEMS_PER_PAGE}
    try:
        items = show_items(ranking, **bounds, with_tuples=with_tuples)
    except NoTuples as error:
        context["no_tuples"] = str(error)
        items = show_items(ranking, **bounds)
    query = request.GET.copy()
    for parameter in ("page", "wait"):
        query.pop(parameter, None)
    return context | {"ranking": ranking, "page": page, "items": items, "query": query.urlencode()}


@login_required
@require_safe
def download_disagreements(request: HttpRequest, name: str) -> StreamingHttpResponse:
    opened = open_study(fetch_study(request, name))
    form = _make_form(request, opened)
    if not form.is_valid():
        raise Http404(f"invalid options: {form.errors.as_text()}")
    try:
        ranking = rank_items(opened, form.comparison)
    except NothingToExplore as error:
        raise Http404(str(error)) from error
    return send_lines(write_ranking(ranking, study=opened.judged), file_name=f"{name}-disagreements.csv")


def _make_form(request: HttpRequest, opened: OpenedStudy) -> DisagreementForm:
    metrics = list_scored_metrics(opened.judged)
    return DisagreementForm(request.GET, metrics=metrics, facets=opened.facets)

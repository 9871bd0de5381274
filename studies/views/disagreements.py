"""The disagreement browser: items on which two sides differ most, page by page, and all of them as a file."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from studies.domain.disagreeing.ranking import rank_items
from studies.domain.disagreeing.showing import NoTuples, show_items, write_ranking
from studies.domain.exploring.opening import NothingToExplore, OpenedStudy, open_study
from studies.domain.queries.runs import list_scored_metrics
from studies.forms.disagreements import DisagreementForm
from studies.views.fetch import fetch_study

ITEMS_PER_PAGE = 10
PAGE = "studies:disagreements"


@login_required
@require_safe
def show_disagreements(request: HttpRequest, name: str) -> HttpResponse:
    opened, form = _open(request, name)
    context = {"study": opened.study, "tab": PAGE, "form": form}
    if not form.is_valid():
        return render(request, "studies/disagreements.html", context, status=422)
    try:
        ranking = rank_items(opened, form.comparison)
    except NothingToExplore as error:
        return render(request, "studies/disagreements.html", {**context, "problem": str(error)})
    page = Paginator(range(len(ranking.rows)), ITEMS_PER_PAGE).get_page(request.GET.get("page"))
    start = (page.number - 1) * ITEMS_PER_PAGE
    bounds = {"start": start, "stop": start + ITEMS_PER_PAGE}
    try:
        items = show_items(ranking, **bounds, with_tuples=form.cleaned_data["tuples"])
    except NoTuples as error:
        context["no_tuples"] = str(error)
        items = show_items(ranking, **bounds)
    query = request.GET.copy()
    query.pop("page", None)
    context |= {"ranking": ranking, "page": page, "items": items, "query": query.urlencode()}
    return render(request, "studies/disagreements.html", context)


@login_required
@require_safe
def download_disagreements(request: HttpRequest, name: str) -> StreamingHttpResponse:
    opened, form = _open(request, name)
    if not form.is_valid():
        raise Http404(f"no such view: {form.errors.as_text()}")
    try:
        ranking = rank_items(opened, form.comparison)
    except NothingToExplore as error:
        raise Http404(str(error)) from error
    response = StreamingHttpResponse(
        write_ranking(ranking, study=opened.judged), content_type="text/csv; charset=utf-8"
    )
    response.headers["Content-Disposition"] = f'attachment; filename="{name}-disagreements.csv"'
    return response


def _open(request: HttpRequest, name: str) -> tuple[OpenedStudy, DisagreementForm]:
    opened = open_study(fetch_study(request, name))
    return opened, DisagreementForm(
        request.GET, metrics=list_scored_metrics(opened.judged.dataset), facets=opened.facets
    )

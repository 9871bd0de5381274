"""One study: its state, progress, agreement with metrics, design and items."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from studies.analysis.awaiting import Known, Moment
from studies.analysis.figures import describe_scatter
from studies.analysis.items import add_judgments, list_item_keys, load_items
from studies.analysis.results import find_results
from studies.analysis.scatter import NoScatter
from studies.analysis.scatter_pages import ShownScatter, find_scatter
from studies.design.facts import load_facts
from studies.enums import StudyState
from studies.forms.analysis.scatter import MetricForm
from studies.models import Item, Study
from studies.monitoring.progress import find_progress
from studies.monitoring.raters import name_raters
from studies.rules import CHANGE_STUDY
from studies.views.awaiting import POLL, answer_poll, is_poll, say_again
from studies.views.fetch import fetch_study

ITEMS_PER_PAGE = 20
RATERS_PER_PAGE = 50
SCATTER = "scatter"


@login_required
@require_safe
def show_study(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    moment = Moment(study)
    asks = {"now": timezone.now(), "wait": "wait" in request.GET, "is_poll": is_poll(request)}
    results, counted = find_results(study, **asks, moment=moment), find_progress(study, **asks)
    form = MetricForm(request.GET, metrics=results.table.metrics if results.table else ())
    scatter = _find_scatter(study, form.chosen, {**asks, "moment": moment})
    lacks_results, lacks_scatter = not results.is_there, scatter.made is None and scatter.is_on_its_way
    if is_poll(request):
        # What stands in the place of the scatter plot asks for that alone, for the results are there already.
        lacks_more = counted is None or (lacks_results and results.is_on_its_way)
        return answer_poll(lacks_scatter if request.GET[POLL] == SCATTER else lacks_more)
    facts = load_facts(study)
    item_page = _paginate(list_item_keys(study), ITEMS_PER_PAGE, n=facts.n_items).get_page(request.GET.get("items"))
    rater_page = Paginator(counted.raters if counted else (), RATERS_PER_PAGE).get_page(request.GET.get("raters"))
    context = {
        "study": study,
        "facts": facts,
        "may_change": request.user.has_perm(CHANGE_STUDY, study),
        "link": make_link(request, study) if study.state == StudyState.OPEN else "",
        "counted": counted,
        "rater_page": rater_page,
        "raters": name_raters(rater_page.object_list),
        "item_page": item_page,
        "items": add_judgments(load_items(list(item_page.object_list))),
        "results": results,
        "scatter": scatter,
        "is_awaited": counted is None or lacks_results or lacks_scatter,
        "again": say_again(request),
        "form": form,
        "figure_text": describe_scatter(results.found.rows, metric=form.chosen) if results.found else "",
    }
    return render(request, "studies/study.html", context)


def _find_scatter(study: Study, metric: str, asks: dict[str, Any]) -> Known[ShownScatter]:
    """Find the scatter of the chosen metric, if there is one to choose."""
    try:
        return find_scatter(study, metric=metric, **asks) if metric else Known(None)
    except NoScatter:
        return Known(None)


def _paginate(rows: QuerySet[Item, int], per_page: int, *, n: int) -> Paginator:
    paginator = Paginator(rows, per_page)
    # Known already: counting would read all of them once more.
    paginator.count = n
    return paginator


def make_link(request: HttpRequest, study: Study) -> str:
    """Return the address that the owner gives to raters."""
    return request.build_absolute_uri(reverse("annotation_ui:join", args=[study.join_token]))

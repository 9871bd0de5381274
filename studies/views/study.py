"""The overview of a study: state, progress, agreement with metrics, design and items."""

from dataclasses import replace
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from studies.analysis.cached_results import CachedValue, StudyInputs
from studies.analysis.explorer.default_report import ShownReport, find_default_report
from studies.analysis.explorer.page import arrange_report
from studies.analysis.figures import describe_scatter
from studies.analysis.items import add_judgments, list_item_keys, load_items
from studies.analysis.results import StudyResults, find_results
from studies.analysis.scatter import NoScatter
from studies.analysis.scatter_pages import ShownScatter, find_scatter
from studies.analysis.truth import find_truth, hide_names
from studies.design.study_facts import load_facts
from studies.enums import StudyState
from studies.forms.analysis.scatter import MetricForm
from studies.models import Item, Study
from studies.monitoring.progress import find_progress
from studies.monitoring.raters import name_raters
from studies.rules import CHANGE_STUDY
from studies.scoring.run_lists import find_skipped
from studies.views.fetch import fetch_study
from studies.views.pending_parts import POLL, answer_poll, is_poll, say_again

ITEMS_PER_PAGE = 20
RATERS_PER_PAGE = 50
SCATTER = "scatter"
INTERVALS = "intervals"


@login_required
@require_safe
def show_study(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    inputs = StudyInputs(study)
    asks = {"now": timezone.now(), "wait": "wait" in request.GET, "is_poll": is_poll(request)}
    results, counted = find_results(study, **asks, inputs=inputs), find_progress(study, **asks)
    intervals = _find_intervals(study, results, {"now": asks["now"], "wait": asks["wait"], "inputs": inputs})
    form = MetricForm(request.GET, metrics=results.table.metrics if results.table else ())
    scatter = _find_scatter(study, form.chosen, {**asks, "inputs": inputs})
    truth = find_truth(study, **asks, inputs=inputs)
    lacks_truth = truth.made is None and truth.is_pending
    lacks_results, lacks_scatter = not results.is_there, scatter.made is None and scatter.is_pending
    if is_poll(request):
        # The placeholder of the scatter plot polls for the plot only, since the results are there already.
        lacks_more = counted is None or lacks_truth or (lacks_results and results.is_pending)
        return answer_poll({SCATTER: lacks_scatter, INTERVALS: intervals.is_pending}.get(request.GET[POLL], lacks_more))
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
        "skipped": find_skipped(study),
        "intervals": intervals,
        "whole": arrange_report(intervals.report) if intervals.report else None,
        "is_awaited": counted is None or lacks_truth or lacks_results or lacks_scatter or intervals.is_pending,
        "again": say_again(request),
        "form": form,
        "truth": replace(truth, made=hide_names(truth.made or (), user=request.user)),
        "figure_text": describe_scatter(results.found.rows, metric=form.chosen, against=study.compared_with)
        if results.found
        else "",
    }
    return render(request, "studies/study.html", context)


def _find_intervals(study: Study, results: StudyResults, asks: dict[str, Any]) -> ShownReport:
    """Return the default report, unless the results are older than the judgments or there are none."""
    if results.table is None or results.as_of is not None:
        return ShownReport()
    return find_default_report(study, **asks)


def _find_scatter(study: Study, metric: str, asks: dict[str, Any]) -> CachedValue[ShownScatter]:
    """Return the scatter plot of the chosen metric, if any."""
    try:
        return find_scatter(study, metric=metric, **asks) if metric else CachedValue(None)
    except NoScatter:
        return CachedValue(None)


def _paginate(rows: QuerySet[Item, int], per_page: int, *, n: int) -> Paginator:
    paginator = Paginator(rows, per_page)
    # Set the known count, since counting is slow.
    paginator.count = n
    return paginator


def make_link(request: HttpRequest, study: Study) -> str:
    """Return the study link for raters."""
    return request.build_absolute_uri(reverse("annotation_ui:join", args=[study.join_token]))

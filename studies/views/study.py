"""The overview of a study: which metric agrees best, what people said, progress, and what to do next."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studies.analysis.cached_results import CachedValue, StudyInputs
from studies.analysis.explorer.default_report import find_agreement
from studies.analysis.explorer.page import arrange_report
from studies.analysis.figures import describe_forest, describe_scatter, write_study_headline
from studies.analysis.items import add_judgments, list_item_keys, load_items
from studies.analysis.results import StudyResults
from studies.analysis.scatter.pages import ShownScatter, find_scatter
from studies.analysis.scatter.points import NoScatter
from studies.analysis.truth import find_truth, hide_names
from studies.design.study_facts import load_facts
from studies.enums import StudyState, TaskKind
from studies.forms.analysis.scatter import MetricForm
from studies.models import Item, Study
from studies.monitoring.answers import GivenAnswers, find_answers
from studies.monitoring.next_steps import list_next_steps
from studies.monitoring.progress import CountedProgress, find_progress
from studies.monitoring.raters import name_raters
from studies.rules import ANALYSE_STUDY, CHANGE_STUDY
from studies.scoring.run_lists import find_skipped
from studies.shared.problems import lacks_judgments
from studies.views.fetch import fetch_study
from studies.views.pending_parts import NEWER, NOTHING_NEW, POLL, answer_placeholder, is_poll, say_again, take_section

OPENED = "opened"
ITEMS_PER_PAGE = 20
RATERS_PER_PAGE = 50
_RIGHTS: Mapping[str, str] = {"may_change": CHANGE_STUDY, "may_analyse": ANALYSE_STUDY}
SECTIONS: Mapping[str, str] = {"intervals": "results", "scatter": "results", "progress": "raters"}
"""Part that a job computes -> the section of the page that it belongs to, if that has another id."""


@login_required
@require_safe
def show_study(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    inputs = StudyInputs(study)
    asks = {"now": timezone.now(), "wait": "wait" in request.GET, "is_poll": is_poll(request)}
    agreement, counted = find_agreement(study, inputs, **asks), find_progress(study, **asks)
    results, whole, report = agreement.results, agreement.whole, agreement.report
    form = MetricForm(request.GET, metrics=[metric.id for metric in report.metrics] if report else ())
    scatter = _find_scatter(study, form.chosen, {**asks, "inputs": inputs})
    truth = find_truth(study, **asks, inputs=inputs)
    answers = _find_answers(study, inputs, {"now": asks["now"], "wait": asks["wait"]})
    results, answers = _drop_early(results, answers, counted)
    known: dict[str, CachedValue[Any]] = {
        "results": CachedValue(results.table, None, results.is_pending, results.has_failed, results.job),
        "intervals": whole,
        "scatter": scatter,
        "people": answers,
        "progress": CachedValue(counted, is_pending=counted is None),
        "truth": truth,
    }
    part = request.GET.get(POLL, "")
    if part in known and known[part].is_pending and (known[part].made is None or NEWER in request.GET):
        return answer_placeholder(request, known[part])
    facts = load_facts(study)
    item_page = _paginate(list_item_keys(study), ITEMS_PER_PAGE, n=facts.n_items).get_page(request.GET.get("items"))
    rater_page = Paginator(counted.raters if counted else (), RATERS_PER_PAGE).get_page(request.GET.get("raters"))
    rights = {name: request.user.has_perm(right, study) for name, right in _RIGHTS.items()}
    context = {
        "study": study,
        "facts": facts,
        **rights,
        "link": make_link(request, study) if study.state == StudyState.OPEN else "",
        "is_just_opened": OPENED in request.GET,
        "counted": counted,
        "rater_page": rater_page,
        "raters": name_raters(rater_page.object_list),
        "item_page": item_page,
        "items": add_judgments(load_items(list(item_page.object_list))),
        "results": results,
        "skipped": find_skipped(study),
        "known": known,
        "answers": answers.made,
        "headline": write_study_headline(report) if report else "",
        "report": report,
        "table": arrange_report(report) if report else None,
        "forest_text": describe_forest(report) if report else "",
        "again": say_again(request),
        "form": form,
        "truth": replace(truth, made=hide_names(truth.made or (), user=request.user)),
        "scatter_text": describe_scatter(report.rows, metric=form.chosen, against=study.compared_with)
        if report
        else "",
        "next_steps": list_next_steps(
            study,
            progress=counted.progress if counted else None,
            n_judgments=counted.n_judgments if counted else 0,
            report=report,
            **rights,
        ),
    }
    response = render(request, "studies/study.html", context)
    return take_section(response, SECTIONS.get(part, part)) if part in known else response


@login_required
@require_safe
@never_cache
def show_progress_now(request: HttpRequest, name: str) -> HttpResponse:
    """Show the counts of the overview, which is polled, and how many judgments are newer than the page."""
    study = fetch_study(request, name)
    counted = find_progress(study, now=timezone.now(), is_poll=True)
    if counted is None:
        return HttpResponse(status=NOTHING_NEW)
    shown = request.GET.get("shown", "")
    # A longer number is none of a page, and `int` refuses very long ones.
    n_shown = int(shown) if shown.isascii() and shown.isdigit() and len(shown) < 10 else counted.n_judgments
    context = {
        "study": study,
        "counted": counted,
        "n_shown": n_shown,
        "n_new": counted.n_judgments - n_shown,
        "n_raters": len(counted.raters),
    }
    return render(request, "studies/study_progress_now.html", context)


def _drop_early(
    results: StudyResults, answers: CachedValue[GivenAnswers], counted: CountedProgress | None
) -> tuple[StudyResults, CachedValue[GivenAnswers]]:
    """Leave out what was computed before the first judgment if there may be one now: it would contradict the count.

    It may be kept for some seconds before newer values are requested; the page waits for these in any case.
    """
    if counted is not None and not counted.n_judgments:
        return results, answers
    if results.as_of and not results.has_failed and lacks_judgments(results.problem):
        results = StudyResults(is_there=False, is_pending=True, job=results.job)
    if answers.as_of and not answers.has_failed and answers.made is not None and not answers.made.n:
        answers = CachedValue(None, is_pending=True, job=answers.job)
    return results, answers


def _find_answers(study: Study, inputs: StudyInputs, asks: dict[str, Any]) -> CachedValue[GivenAnswers]:
    """Return what people said, unless they write captions."""
    return find_answers(study, inputs, **asks) if study.kind != TaskKind.CAPTION else CachedValue(None)


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

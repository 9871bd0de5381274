"""One study: its state, progress, agreement with metrics, design and items."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from studies.domain.figures import describe_scatter
from studies.domain.queries.facts import load_facts
from studies.domain.queries.items import add_judgments, list_items
from studies.domain.queries.raters import list_raters
from studies.domain.queries.studies import summarize_studies
from studies.domain.results import load_results
from studies.enums import StudyState
from studies.forms.scatter import MetricForm
from studies.models import Study
from studies.rules import CHANGE_STUDY
from studies.views.fetch import fetch_study

ITEMS_PER_PAGE = 20
RATERS_PER_PAGE = 50


@login_required
@require_safe
def show_study(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    results = load_results(study, now=timezone.now())
    form = MetricForm(request.GET, metrics=results.table.metrics if results.table else ())
    item_page = Paginator(list_items(study), ITEMS_PER_PAGE).get_page(request.GET.get("items"))
    context = {
        "study": study,
        "facts": load_facts(study),
        "may_change": request.user.has_perm(CHANGE_STUDY, study),
        "link": make_link(request, study) if study.state == StudyState.OPEN else "",
        "summary": summarize_studies([study])[0],
        "raters": _list_raters(study).get_page(request.GET.get("raters")),
        "item_page": item_page,
        "items": add_judgments(item_page.object_list),
        "results": results,
        "form": form,
        "figure_text": describe_scatter(results.table, metric=form.chosen) if results.table else "",
    }
    return render(request, "studies/study.html", context)


def _list_raters(study: Study) -> Paginator:
    paginator = Paginator(list_raters(study), RATERS_PER_PAGE)
    # Counting the query itself would count all judgments once more.
    paginator.count = study.raters.count()
    return paginator


def make_link(request: HttpRequest, study: Study) -> str:
    """Return the address that the owner gives to raters."""
    return request.build_absolute_uri(reverse("annotation_ui:join", args=[study.join_token]))

"""The submissions of a study's raters on their panel, and what to do with each."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from studies.access.audit import record_names
from studies.monitoring.submissions import DECISION_COLUMNS, list_decisions, report_submissions
from studies.views.fetch import fetch_managed_study, who_and_when
from studies.views.private_files import send_private

PER_PAGE = 50


@login_required
@never_cache
@require_safe
def show_submissions(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_managed_study(request, name)
    report = report_submissions(study)
    context = {
        "study": study,
        "tab": "recruiting:raters",
        "report": report,
        "counts": [(expected, advice, n) for (expected, advice), n in sorted(report.count().items())],
        "n_empty": len(report.list_empty()),
        "page": Paginator(report.rows, PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "studies/submissions.html", context)


@login_required
@require_POST
def download_decisions(request: HttpRequest, name: str) -> HttpResponse:
    """Send the submissions with the panel's ids, for its page."""
    study = fetch_managed_study(request, name)
    rows = list_decisions(study)
    record_names(study, people=len(rows), command="panel_report", **who_and_when(request))
    return send_private(f"{study.name}-submissions.csv", DECISION_COLUMNS, rows)

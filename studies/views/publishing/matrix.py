"""The benchmark matrix of the studies that a person may see and in which people judged."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from correlation.reports.matrix_forms import MATRIX_FORMS, head_column, write_matrix_cautions, write_matrix_sentences
from studies.access.visibility import visible_studies
from studies.publishing.report_matrix import find_human_reports, make_matrix
from studies.views.publishing.reports import answer_part


@login_required
@require_safe
def show_matrix(request: HttpRequest) -> HttpResponse:
    reports = find_human_reports(visible_studies(request.user))
    context: dict[str, object] = {"section": "matrix", "reports": reports}
    if reports:
        matrix = make_matrix(reports)
        context |= {
            "columns": [
                (report, head_column(column), column) for report, column in zip(reports, matrix.columns, strict=True)
            ],
            "matrix": matrix,
            "has_ceilings": any(column.ceiling for column in matrix.columns),
            "cautions": write_matrix_cautions(matrix),
            "sentences": write_matrix_sentences(matrix),
            "forms": tuple(MATRIX_FORMS),
        }
    return render(request, "studies/matrix.html", context)


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def download_matrix(request: HttpRequest, file_format: str) -> HttpResponse:
    reports = find_human_reports(visible_studies(request.user))
    if file_format not in MATRIX_FORMS:
        raise Http404(f"there is no matrix.{file_format}")
    content = MATRIX_FORMS[file_format](make_matrix(reports)).encode()
    return answer_part(request, content, file_name=f"matrix.{file_format}")

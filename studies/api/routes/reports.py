"""Frozen reports: made, listed, and as files."""

from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from studies.api.fetch import fetch_study, make_actor
from studies.api.routes.analysis import gather
from studies.api.routes.base import Route, describe, list_of, send_file
from studies.api.shapes.analysis import CorrelateShape
from studies.api.shapes.reports import ReportShape
from studies.domain.figures import CONTENT_TYPES
from studies.domain.freezing import find_report, load_report
from studies.domain.queries.reports import list_reports
from studies.domain.reporting import FORMS, report_observations
from studies.domain.requesting import keep_report
from studies.models import FrozenReport
from studies.rules import ANALYSE_STUDY

TYPES: Final = {
    "md": "text/markdown; charset=utf-8",
    "tex": "text/x-tex; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    **CONTENT_TYPES,
}
_FORM = OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=sorted(TYPES))


class ReportList(Route):
    """The frozen reports of a study."""

    @list_of(ReportShape, "List frozen reports", operation="reports_list")
    def get(self, request: Request, name: str) -> Response:
        reports = list_reports(fetch_study(request, name))
        return self.answer_page(reports, ReportShape, request, context=_address_reports(request))

    @describe(
        "Freeze a report\nCorrelates with the human ceiling, and keeps the report under the next number.",
        body=CorrelateShape,
        answer=ReportShape,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study, asked = fetch_study(request, name, ANALYSE_STUDY), self.read(CorrelateShape, request)
        interval, comparison = asked.make_interval(), asked.make_comparison()
        gathered = gather(study, asked)
        report = report_observations(
            gathered, interval=interval, comparison=comparison, seed=asked.validated_data["seed"]
        )
        kept = keep_report(gathered, report, now=timezone.now(), actor=make_actor(request))
        return Response(ReportShape(kept, context=_address_reports(request)).data, status=201)


class ReportDetail(Route):
    """One frozen report."""

    @describe("Show a frozen report", answer=ReportShape)
    def get(self, request: Request, name: str, number: int) -> Response:
        kept = find_report(fetch_study(request, name), number)
        return Response(ReportShape(kept, context=_address_reports(request)).data)


class ReportFile(Route):
    """One frozen report in one form."""

    @describe("Download a frozen report", answer={(200, "*/*"): OpenApiTypes.BINARY}, parameters=[_FORM])
    def get(self, request: Request, name: str, number: int, file_format: str) -> HttpResponse:
        study = fetch_study(request, name)
        if file_format not in TYPES:
            raise NotFound(f"A report comes as {', '.join(TYPES)}, not as {file_format}.")
        _, report = load_report(study, number)
        file_name = f"{study.name}-report-{number}.{file_format}"
        return send_file(FORMS[f".{file_format}"](report), content_type=TYPES[file_format], file_name=file_name)


def _address_reports(request: Request) -> dict[str, Any]:
    def make_address(report: FrozenReport, form: str) -> str:
        arguments = {"name": report.study.name, "number": report.number, "file_format": form}
        return reverse("api:report_file", kwargs=arguments, request=request)

    return {"make_address": make_address, "forms": sorted(TYPES)}

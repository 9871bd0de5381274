"""Frozen reports: asked for, made, listed, and as files."""

from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from studies.analysis.figures import CONTENT_TYPES
from studies.analysis.reporting import FORMS, report_observations
from studies.api.fetch import fetch_study, make_actor
from studies.api.serializers.analysis import CorrelateSerializer
from studies.api.serializers.reports import NewReportRequestSerializer, ReportRequestSerializer, ReportSerializer
from studies.api.views.analysis import gather
from studies.api.views.base import ApiView, describe, list_of, read_form, send_file
from studies.forms.report import ReportForm
from studies.models import FrozenReport
from studies.publishing.freezing import find_report, load_report
from studies.publishing.report_pages import PARTS
from studies.publishing.reports import list_reports
from studies.publishing.requesting import find_requests, keep_report, request_report
from studies.rules import ANALYSE_STUDY

TYPES: Final = {
    "md": "text/markdown; charset=utf-8",
    "tex": "text/x-tex; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    **CONTENT_TYPES,
}
_FORM = OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=sorted(TYPES))


class ReportList(ApiView):
    """The frozen reports of a study."""

    @list_of(ReportSerializer, "List frozen reports", operation="reports_list")
    def get(self, request: Request, name: str) -> Response:
        reports = list_reports(fetch_study(request, name))
        return self.answer_page(reports, ReportSerializer, request, context=_address_reports(request))

    @describe(
        "Freeze a report\nAt once, with 5,000 resamples at most. Larger ones are asked for at `report-requests/`.",
        body=CorrelateSerializer,
        example={"metrics": ["length"], "method": "percentile", "clusters": ["images"], "resamples": 200},
        answer=ReportSerializer,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study, asked = fetch_study(request, name, ANALYSE_STUDY), self.read(CorrelateSerializer, request)
        interval, comparison = asked.make_interval(), asked.make_comparison()
        gathered = gather(study, asked)
        report = report_observations(
            gathered, interval=interval, comparison=comparison, seed=asked.validated_data["seed"]
        )
        kept = keep_report(gathered, report, now=timezone.now(), actor=make_actor(request))
        return Response(ReportSerializer(kept, context=_address_reports(request)).data, status=201)


class ReportDetail(ApiView):
    """One frozen report."""

    @describe("Show a frozen report", answer=ReportSerializer)
    def get(self, request: Request, name: str, number: int) -> Response:
        kept = find_report(fetch_study(request, name), number)
        return Response(ReportSerializer(kept, context=_address_reports(request)).data)


class ReportFile(ApiView):
    """One frozen report in one form."""

    @describe("Download a frozen report", answer={(200, "*/*"): OpenApiTypes.BINARY}, parameters=[_FORM])
    def get(self, request: Request, name: str, number: int, file_format: str) -> HttpResponse:
        study = fetch_study(request, name)
        if file_format not in TYPES:
            raise NotFound(f"A report comes as {', '.join(TYPES)}, not as {file_format}.")
        _, report = load_report(study, number)
        file_name = f"{study.name}-report-{number}.{file_format}"
        return send_file(FORMS[f".{file_format}"](report), content_type=TYPES[file_format], file_name=file_name)


class ReportRequestList(ApiView):
    """The reports that were asked for."""

    @list_of(
        ReportRequestSerializer, "List reports that were asked for\nNewest first.", operation="report_requests_list"
    )
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(find_requests(fetch_study(request, name)), ReportRequestSerializer, request)

    @describe(
        "Ask for a report\nIt is made in the background: ask again until its state is `done` or `failed`.",
        body=NewReportRequestSerializer,
        example={"method": "percentile", "clusters": ["images"], "test": "perm-both", "correction": "holm"},
        answer=ReportRequestSerializer,
        status=202,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, ANALYSE_STUDY)
        form = ReportForm(self.read(NewReportRequestSerializer, request).validated_data, study=study)
        read_form(form)
        made = request_report(study, form.read(), actor=make_actor(request), now=timezone.now())
        return Response(ReportRequestSerializer(made).data, status=202)


class ReportRequestDetail(ApiView):
    """A report that was asked for."""

    @describe("Show how far a report is\n`report` is its number once it is there.", answer=ReportRequestSerializer)
    def get(self, request: Request, name: str, pk: int) -> Response:
        return Response(
            ReportRequestSerializer(get_object_or_404(find_requests(fetch_study(request, name)), pk=pk)).data
        )


def _address_reports(request: Request) -> dict[str, Any]:
    def make_address(report: FrozenReport, form: str) -> str:
        arguments = {"name": report.study.name, "number": report.number, "file_format": form}
        return reverse("api:report_file", kwargs=arguments, request=request)

    def make_part_address(report: FrozenReport, part: str) -> str:
        arguments = {"name": report.study.name, "number": report.number}
        if part == "bundle.zip":
            return reverse("api:report_bundle", kwargs=arguments, request=request)
        name, _, form = part.rpartition(".")
        return reverse("api:report_part", kwargs={**arguments, "part": name, "file_format": form}, request=request)

    return {
        "make_address": make_address,
        "forms": sorted(TYPES),
        "make_part_address": make_part_address,
        "parts": [*(f"{part}.{form}" for part, form in sorted(PARTS)), "bundle.zip"],
    }

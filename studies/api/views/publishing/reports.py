"""Frozen reports: requests for them, their list, and their files."""

from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from studies.analysis.reports import FORMS, report_observations
from studies.api.fetch import fetch_study, who_and_when
from studies.api.serializers.analysis import CorrelateSerializer
from studies.api.serializers.reports import (
    NewReportRequestSerializer,
    ReportRequestSerializer,
    ReportSerializer,
    ReportTitleSerializer,
)
from studies.api.views.analysis.correlations import gather
from studies.api.views.base import ApiView, describe, list_of, read_form
from studies.forms.report import ReportForm
from studies.models import FrozenReport
from studies.publishing.freezing import find_report, load_report, title_report
from studies.publishing.frozen_reports import list_reports
from studies.publishing.report_jobs import find_requests, keep_report, request_report
from studies.rules import ANALYSE_STUDY, MANAGE_STUDY
from studies.shared.content_types import send_file

FILE_FORMATS: Final = tuple(ending.removeprefix(".") for ending in FORMS)
_FORM = OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=sorted(FILE_FORMATS))


class ReportList(ApiView):
    """The frozen reports of a study."""

    @list_of(ReportSerializer, "List frozen reports", operation="reports_list")
    def get(self, request: Request, name: str) -> Response:
        reports = list_reports(fetch_study(request, name))
        return self.answer_page(reports, ReportSerializer, request, context=_address_reports(request))

    @describe(
        "Freeze a report\nImmediately, with at most 5,000 resamples. Request larger ones at `report-requests/`.",
        body=CorrelateSerializer,
        example={"metrics": ["length"], "method": "percentile", "clusters": ["images"], "resamples": 200},
        answer=ReportSerializer,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study, asked = fetch_study(request, name, ANALYSE_STUDY), self.read(CorrelateSerializer, request)
        gathered = gather(study, asked)
        chosen = asked.choose_inference(gathered)
        report = report_observations(
            gathered, interval=chosen.interval, comparison=chosen.comparison, seed=asked.validated_data["seed"]
        )
        kept = keep_report(gathered, report, **who_and_when(request))
        return Response(ReportSerializer(kept, context=_address_reports(request)).data, status=201)


class ReportDetail(ApiView):
    """One frozen report."""

    @describe("Show a frozen report", answer=ReportSerializer)
    def get(self, request: Request, name: str, number: int) -> Response:
        kept = find_report(fetch_study(request, name), number)
        return Response(ReportSerializer(kept, context=_address_reports(request)).data)

    @describe(
        "Change the title of a frozen report\nThe rest of a report does not change. By those who may manage the study.",
        body=ReportTitleSerializer,
        example={"title": "Metrics and people"},
        answer=ReportSerializer,
    )
    def patch(self, request: Request, name: str, number: int) -> Response:
        study = fetch_study(request, name, MANAGE_STUDY)
        kept, title = find_report(study, number), self.read(ReportTitleSerializer, request).validated_data["title"]
        title_report(kept, title, **who_and_when(request))
        return Response(ReportSerializer(kept, context=_address_reports(request)).data)


class ReportFile(ApiView):
    """One frozen report in one format."""

    @describe("Download a frozen report", answer={(200, "*/*"): OpenApiTypes.BINARY}, parameters=[_FORM])
    def get(self, request: Request, name: str, number: int, file_format: str) -> HttpResponse:
        study = fetch_study(request, name)
        if file_format not in FILE_FORMATS:
            raise NotFound(f"A report comes as {', '.join(FILE_FORMATS)}, not as {file_format}.")
        _, report = load_report(study, number)
        file_name = f"{study.name}-report-{number}.{file_format}"
        return send_file(FORMS[f".{file_format}"](report), file_name=file_name)


class ReportRequestList(ApiView):
    """The requested reports."""

    @list_of(ReportRequestSerializer, "List report requests\nNewest first.", operation="report_requests_list")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(find_requests(fetch_study(request, name)), ReportRequestSerializer, request)

    @describe(
        "Request a report\nIt is created in the background: poll until its state is `done` or `failed`.",
        body=NewReportRequestSerializer,
        example={"metrics": ["length"], "resamples": 200},
        answer=ReportRequestSerializer,
        status=202,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, ANALYSE_STUDY)
        form = ReportForm(self.read(NewReportRequestSerializer, request).validated_data, study=study)
        read_form(form)
        made = request_report(study, form.read(), **who_and_when(request))
        return Response(ReportRequestSerializer(made).data, status=202)


class ReportRequestDetail(ApiView):
    """A requested report."""

    @describe("Show a report request\n`report` is its number once it has been created.", answer=ReportRequestSerializer)
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
        "forms": sorted(FILE_FORMATS),
        "make_part_address": make_part_address,
    }

"""The parts of a frozen report, its bundle, and the secret links to it."""

from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.models import Job
from studies.access.sharing import revoke_link, share_report
from studies.api.fetch import fetch_study, who_and_when
from studies.api.serializers.reports import JobSerializer, LinkSerializer, MadeLinkSerializer, NewLinkSerializer
from studies.api.views.base import ApiView, describe, list_of
from studies.models import ReportLink
from studies.publishing.bundles.jobs import open_bundle
from studies.publishing.freezing import find_report, load_report
from studies.publishing.report_pages import ALL_PARTS, write_part
from studies.rules import ANALYSE_STUDY
from studies.shared.content_types import send_file

_PART = [
    OpenApiParameter("part", str, OpenApiParameter.PATH, enum=sorted({part for part, _ in ALL_PARTS})),
    OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=sorted({form for _, form in ALL_PARTS})),
]


class ReportPart(ApiView):
    """One part of a frozen report: table, differences, methods, HEDS, figures."""

    @describe(
        "Download a part of a frozen report\nTables, the methods paragraph, HEDS 3.0, figures.",
        answer={(200, "*/*"): OpenApiTypes.BINARY},
        parameters=_PART,
        operation="report_part",
    )
    def get(self, request: Request, name: str, number: int, part: str, file_format: str) -> HttpResponse:
        frozen, report = load_report(fetch_study(request, name), number)
        content = write_part(frozen, report, part=part, file_format=file_format)
        file_name = f"{name}-report-{number}-{part}.{file_format}"
        return send_file(content, file_name=file_name)


class ReportBundle(ApiView):
    """The bundle of a frozen report."""

    @describe(
        "Download the bundle of a frozen report\n`manage.py rebuild` reproduces the tables on another installation. "
        "With many judgments it is made in the background, and the answer is 202: ask again until it is 200.",
        answer={(200, "application/zip"): OpenApiTypes.BINARY, 202: JobSerializer},
    )
    def get(self, request: Request, name: str, number: int) -> FileResponse | Response:
        frozen, _ = load_report(fetch_study(request, name), number)
        bundle = open_bundle(frozen, **who_and_when(request))
        if isinstance(bundle, Job):
            return Response(JobSerializer(bundle).data, status=202, headers={"Retry-After": "5"})
        return FileResponse(bundle, as_attachment=True, filename=f"{name}-report-{number}.zip")


class LinkList(ApiView):
    """The secret links to a report."""

    @list_of(LinkSerializer, "List the share links of a report\nIncluding revoked ones, newest first.")
    def get(self, request: Request, name: str, number: int) -> Response:
        report = find_report(fetch_study(request, name, ANALYSE_STUDY), number)
        links = ReportLink.objects.filter(report=report).select_related("made_by").order_by("-pk")
        return self.answer_page(links, LinkSerializer, request)

    @describe(
        "Create a share link for a report\nAnyone with the URL can read the report until the link expires. The URL "
        "is shown only once.",
        body=NewLinkSerializer,
        example={"days": 30},
        answer=MadeLinkSerializer,
        status=201,
    )
    def post(self, request: Request, name: str, number: int) -> Response:
        report = find_report(fetch_study(request, name, ANALYSE_STUDY), number)
        days = self.read(NewLinkSerializer, request).validated_data.get("days")
        made = share_report(report, days=days, **who_and_when(request))
        address = request.build_absolute_uri(reverse("studies:shared", args=[made.token]))
        body = MadeLinkSerializer({"address": address, "link": made.link}).data
        return Response(body, status=201, headers={"Cache-Control": "no-store"})


class LinkDetail(ApiView):
    """One link."""

    @describe("Revoke a share link\nIts URL stops working.", answer=None, status=204)
    def delete(self, request: Request, name: str, number: int, pk: int) -> Response:
        study = fetch_study(request, name, ANALYSE_STUDY)
        links = ReportLink.objects.select_related("report__study")
        link = get_object_or_404(links, pk=pk, report__study=study, report__number=number)
        revoke_link(link, **who_and_when(request))
        return Response(status=204)

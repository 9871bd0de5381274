"""What visitors without an account may see of a study, which its owner decides."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from studies.access.publicity import set_report_public, set_study_public
from studies.api.fetch import fetch_study, who_and_when
from studies.api.views.base import ApiView, describe
from studies.publishing.freezing import find_report
from studies.rules import MANAGE_STUDY


class PublicitySerializer(serializers.Serializer):
    """Whether visitors without an account see the study or the report."""

    is_public = serializers.BooleanField()


class StudyPublicity(ApiView):
    """Whether a study is public."""

    @describe("Show whether a study is public", answer=PublicitySerializer)
    def get(self, request: Request, name: str) -> Response:
        return Response(PublicitySerializer(fetch_study(request, name)).data)

    @describe(
        "Make a study public or private\nVisitors see title, question and numbers of a public study, once it has "
        "started, and its public reports.",
        body=PublicitySerializer,
        example={"is_public": True},
        answer=PublicitySerializer,
    )
    def put(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, MANAGE_STUDY)
        chosen = self.read(PublicitySerializer, request).validated_data["is_public"]
        set_study_public(study, chosen, **who_and_when(request))
        return Response(PublicitySerializer(study).data)


class ReportPublicity(ApiView):
    """Whether a report is public."""

    @describe("Show whether a report is public", answer=PublicitySerializer)
    def get(self, request: Request, name: str, number: int) -> Response:
        return Response(PublicitySerializer(find_report(fetch_study(request, name), number)).data)

    @describe(
        "Make a report public or private\nVisitors see a public report if its study is public.",
        body=PublicitySerializer,
        example={"is_public": True},
        answer=PublicitySerializer,
    )
    def put(self, request: Request, name: str, number: int) -> Response:
        report = find_report(fetch_study(request, name, MANAGE_STUDY), number)
        chosen = self.read(PublicitySerializer, request).validated_data["is_public"]
        set_report_public(report, chosen, **who_and_when(request))
        return Response(PublicitySerializer(report).data)

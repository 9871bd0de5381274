"""Correlations, comparisons, agreement of raters, and figures."""

from dataclasses import asdict, replace

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from correlation.figures.rendering import render
from correlation.reports.json_form import print_json
from studies.analysis.agreement import measure_study
from studies.analysis.comparisons import check_metrics, compare_observations
from studies.analysis.correlations import StudyObservations, gather_observations
from studies.analysis.figures import CONTENT_TYPES, draw_scatter
from studies.analysis.reports import correlate_observations
from studies.analysis.scatter.points import load_scatter
from studies.analysis.truth import hide_names
from studies.api.fetch import fetch_study
from studies.api.serializers.analysis import (
    AgreementSerializer,
    CompareSerializer,
    CorrelateSerializer,
    ProtocolSerializer,
    ResultSerializer,
)
from studies.api.views.base import ApiView, describe
from studies.models import Study
from studies.shared.content_types import send_file

_FIGURE = OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=sorted(CONTENT_TYPES))
_METRIC = OpenApiParameter("metric", str, description="The id of a metric with scores.", required=True)


class Correlate(ApiView):
    """Correlations of metrics with people."""

    @describe(
        "Correlate metrics with human judgments\nOne row per number, as `manage.py correlate --json` prints them.",
        body=CorrelateSerializer,
        example={"metrics": ["length"], "method": "percentile", "clusters": ["images"], "resamples": 200},
        answer=ResultSerializer(many=True),
    )
    def post(self, request: Request, name: str) -> Response:
        study, asked = fetch_study(request, name), self.read(CorrelateSerializer, request)
        gathered = gather(study, asked)
        interval = asked.choose_inference(gathered).interval
        found = correlate_observations(gathered, interval=interval, seed=asked.validated_data["seed"])
        return Response(found.list_records())


class Compare(ApiView):
    """Differences between metrics."""

    @describe(
        "Compare metrics\nTests which metrics differ, and gives letters to them: a report as JSON.",
        body=CompareSerializer,
        example={"metrics": ["length", "rouge-l"], "resamples": 200},
        answer=OpenApiTypes.OBJECT,
    )
    def post(self, request: Request, name: str) -> HttpResponse:
        study, asked = fetch_study(request, name), self.read(CompareSerializer, request)
        check_metrics(asked.validated_data["metrics"])
        gathered = gather(study, asked)
        chosen = asked.choose_inference(gathered)
        report = compare_observations(gathered, request=chosen.comparison, seed=asked.validated_data["seed"])
        return HttpResponse(print_json(report), content_type="application/json")


class StudyAgreement(ApiView):
    """Agreement of raters."""

    @describe(
        "Measure inter-rater agreement\nIncludes the human ceiling.",
        body=ProtocolSerializer,
        example={"resamples": 200, "seed": 1},
        answer=AgreementSerializer,
    )
    def post(self, request: Request, name: str) -> Response:
        study, asked = fetch_study(request, name), self.read(ProtocolSerializer, request).validated_data
        found = measure_study(
            study,
            protocol=asked["protocol"],
            protocol_options=asked["options"],
            resamples=asked["resamples"],
            seed=asked["seed"],
        )
        return Response(asdict(replace(found, truth=hide_names(found.truth, user=request.user))))


class StudyScatter(ApiView):
    """The scatter plot of one metric against people."""

    @describe("Draw a scatter plot", answer={(200, "*/*"): OpenApiTypes.BINARY}, parameters=[_FIGURE, _METRIC])
    def get(self, request: Request, name: str, file_format: str) -> HttpResponse:
        study = fetch_study(request, name)
        if file_format not in CONTENT_TYPES:
            raise NotFound(f"A figure comes as {', '.join(CONTENT_TYPES)}, not as {file_format}.")
        metric = request.query_params.get("metric", "")
        figure = render(draw_scatter(load_scatter(study, metric=metric)), file_format)
        file_name = f"{study.name}-scatter.{file_format}"
        return send_file(figure, file_name=file_name)


def gather(study: Study, asked: CorrelateSerializer) -> StudyObservations:
    """Return the requested judgments and scores."""
    chosen = asked.validated_data
    return gather_observations(
        study, protocol=chosen["protocol"], protocol_options=chosen["options"], metrics=chosen["metrics"] or None
    )

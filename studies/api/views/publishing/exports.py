"""Files of a study for other programs."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from studies.analysis.explorer.default_report import add_intervals
from studies.analysis.results import load_results
from studies.api.fetch import fetch_study, who_and_when
from studies.api.views.base import ApiView, describe
from studies.publishing.exporting.files import FILES, export_file
from studies.publishing.exporting.results import RESULT_FORMATS
from studies.shared.content_types import send_lines

_PART = [
    OpenApiParameter("part", str, OpenApiParameter.PATH, enum=sorted({part for part, _ in FILES})),
    OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=sorted({form for _, form in FILES})),
    OpenApiParameter("system", str, description="For candidates: only those of this system."),
]
_FORMAT = OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=sorted(RESULT_FORMATS))


class ExportFile(ApiView):
    """One file of a study."""

    @describe(
        "Export judgments, scores or candidates\nAs JSONL, Parquet, CSV, COCO results, or mt-metrics-eval's files.",
        answer={(200, "*/*"): OpenApiTypes.BINARY},
        parameters=_PART,
    )
    def get(self, request: Request, name: str, part: str, file_format: str) -> StreamingHttpResponse:
        study = fetch_study(request, name)
        if (part, file_format) not in FILES:
            there = ", ".join(f"{part}.{form}" for part, form in FILES)
            raise NotFound(f"There is no export {part}.{file_format}; available are {there}.")
        system = request.query_params.get("system", "")
        made = export_file(study, part=part, file_format=file_format, system=system, **who_and_when(request))
        return send_lines(iter(made.parts), content_type=made.content_type, file_name=f"{name}-{part}.{file_format}")


class Results(ApiView):
    """The results of items."""

    @describe(
        "Download results\nOne row per metric and measure. Intervals are empty until they are computed.",
        answer={(200, "*/*"): OpenApiTypes.BINARY},
        parameters=[_FORMAT],
    )
    def get(self, request: Request, name: str, file_format: str) -> StreamingHttpResponse:
        study = fetch_study(request, name)
        if file_format not in RESULT_FORMATS:
            raise NotFound(f"Results come as {' or '.join(RESULT_FORMATS)}, not as {file_format}.")
        lines = RESULT_FORMATS[file_format](add_intervals(load_results(study), study))
        return send_lines(lines, file_name=f"{name}-results.{file_format}")

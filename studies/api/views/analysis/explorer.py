"""The correlation explorer with all options of its page, as numbers, tables and pictures."""

import json
from dataclasses import asdict
from math import isnan
from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from correlation.reports.json_form import print_json
from studies.analysis.explorer.jobs import Progress
from studies.analysis.explorer.loaded_study import OpenedStudy, open_study
from studies.analysis.explorer.page import show_agreement, show_multiverse
from studies.analysis.explorer.plots import FORMATS, PARTS, SCATTERS, make_file
from studies.analysis.explorer.report import explore, list_unscored
from studies.api.fetch import fetch_study
from studies.api.serializers.explorer import ExploredSerializer, ProgressSerializer, RanksSerializer
from studies.api.views.base import ApiView, describe, is_on, read_form
from studies.forms.analysis.explorer import ExplorerForm
from studies.shared.content_types import send_file

_TEXTS: Final = ("protocol", "level", "coefficient", "aggregation", "ties", "rows", "references", "raters", "object")
_LISTS: Final = {
    "rater": "Pseudonyms, with raters=chosen.",
    "system": "Systems to include.",
    "category": "Categories to include.",
    "over": "Resampled units: images, raters, systems.",
}
_NUMBERS: Final = ("words_from", "words_to", "resamples", "seed")
_CHOICES: Final = [
    *(OpenApiParameter(name, str, description="As on the page; empty for the protocol's.") for name in _TEXTS),
    *(OpenApiParameter(name, str, many=True, description=told) for name, told in _LISTS.items()),
    *(OpenApiParameter(name, int) for name in _NUMBERS),
    OpenApiParameter("intervals", bool, description="Compute intervals and test differences."),
    *(OpenApiParameter(name, str) for name in ("method", "test", "correction")),
]
_WAIT: Final = OpenApiParameter("wait", bool, description="Compute them within this request, which may take a minute.")
_PART: Final = [
    OpenApiParameter("part", str, OpenApiParameter.PATH, enum=sorted(PARTS)),
    OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=FORMATS),
    OpenApiParameter("metric", str, description="The metric of the scatter plot; by default the best metric."),
]


class Explore(ApiView):
    """The report for the given options."""

    @describe(
        "Explore correlations\nBy subset, level, coefficient, aggregation and raters. Intervals are computed in the "
        "background: poll until `progress` is null.",
        answer=ExploredSerializer,
        parameters=[*_CHOICES, _WAIT],
    )
    def get(self, request: Request, name: str) -> Response:
        opened, form = _open(request, name)
        shown = show_agreement(opened, form.choice, now=timezone.now(), wait=is_on(request, "wait"))
        explored = shown.explored
        return Response(
            {
                "query": form.write_query(),
                "judged": explored.judged,
                "n_items": explored.n_items,
                "n_judgments": explored.n_judgments,
                "n_raters": explored.n_raters,
                "n_excluded": explored.n_excluded,
                "unscored": list_unscored(opened, explored),
                "report": json.loads(print_json(explored.report)),
                "facets": asdict(opened.facets),
                "progress": _tell(shown.progress),
            }
        )


class ExploreMultiverse(ApiView):
    """The ranks of all metrics under every way to analyse."""

    @describe(
        "Rank metrics under all analysis variants\nIn the background: poll until `progress` is null.",
        answer=RanksSerializer,
        parameters=[*_CHOICES, _WAIT],
    )
    def get(self, request: Request, name: str) -> Response:
        opened, form = _open(request, name)
        shown = show_multiverse(opened, form.choice, now=timezone.now(), wait=is_on(request, "wait"))
        found = shown.multiverse
        universes = [asdict(each) | {"values": _blank(each.values)} for each in found.universes] if found else []
        return Response(
            {
                "metrics": found.metrics if found else (),
                "wins": found.wins if found else (),
                "universes": universes,
                "progress": None if found else _tell(shown.progress),
            }
        )


class ExplorePart(ApiView):
    """One table or picture of the explorer."""

    @describe(
        "Download a table or figure of the explorer\nWaits until intervals are computed.",
        answer={(200, "*/*"): OpenApiTypes.BINARY},
        parameters=[*_PART, *_CHOICES],
    )
    def get(self, request: Request, name: str, part: str, file_format: str) -> HttpResponse:
        opened, form = _open(request, name)
        metric = form.cleaned_data["metric"]
        if part in (*SCATTERS, "scatter-table") and not metric:
            metric = next(iter(explore(opened, form.choice).metrics), "")
        content = make_file(part, file_format, opened, form.choice, metric=metric)
        file_name = f"{name}-{part}.{file_format}"
        return send_file(content, file_name=file_name)


def _open(request: Request, name: str) -> tuple[OpenedStudy, ExplorerForm]:
    opened = open_study(fetch_study(request, name), protocol=request.query_params.get("protocol", ""))
    form = ExplorerForm(request.query_params, opened=opened)
    read_form(form)
    return opened, form


def _tell(progress: Progress | None) -> dict[str, Any] | None:
    return dict(ProgressSerializer(progress).data) if progress else None


def _blank(values: tuple[float, ...]) -> list[float | None]:
    return [None if isnan(value) else value for value in values]

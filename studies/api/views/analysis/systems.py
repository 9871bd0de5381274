"""Which systems people prefer, as numbers and files."""

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from correlation.errors import CorrelationInputError
from studies.analysis.systems.files import PARTS, list_records, make_file
from studies.analysis.systems.ranking import RankingChoices, StudyRanking, find_ranking
from studies.api.fetch import fetch_study
from studies.api.serializers.reports import JobSerializer
from studies.api.serializers.systems import RankSerializer, StudyRankingSerializer
from studies.api.views.base import ApiView, describe, read_form
from studies.forms.analysis.systems import RankingFileForm
from studies.models import Study
from studies.shared.content_types import send_file

_PART = [
    OpenApiParameter("part", str, OpenApiParameter.PATH, enum=sorted(PARTS)),
    OpenApiParameter(
        "file_format", str, OpenApiParameter.PATH, enum=sorted({each for formats in PARTS.values() for each in formats})
    ),
    OpenApiParameter("place", int, description="Which figure, from 0, if the study has several criteria."),
]


class Systems(ApiView):
    """The ranking of a study's systems."""

    @describe(
        "Rank systems by human judgments\nMean ratings, Bradley-Terry strengths or shares of wins, with intervals, "
        "tests of all pairs and letters, as `manage.py rank_systems --json` prints them. With many judgments or "
        "resamples they are computed in the background, and the answer is 202: ask again until it is 200.",
        body=RankSerializer,
        example={"resamples": 200},
        answer={200: StudyRankingSerializer, 202: JobSerializer},
    )
    def post(self, request: Request, name: str) -> Response:
        study, asked = fetch_study(request, name), self.read(RankSerializer, request).validated_data
        found = _find(study, RankingChoices(**asked))
        return found if isinstance(found, Response) else Response(list_records(found))


class SystemsPart(ApiView):
    """A table or figure of the ranking."""

    @describe(
        "Download a part of the ranking of systems\nAs the page does, with its default settings. The answer is "
        "202 while the ranking is being computed.",
        answer={(200, "*/*"): OpenApiTypes.BINARY, 202: JobSerializer},
        parameters=_PART,
    )
    def get(self, request: Request, name: str, part: str, file_format: str) -> HttpResponse | Response:
        study, form = fetch_study(request, name), RankingFileForm(request.query_params)
        read_form(form)
        if file_format not in PARTS.get(part, ()):
            raise NotFound(f"There is no {part}.{file_format}.")
        found = _find(study, RankingChoices())
        if isinstance(found, Response):
            return found
        try:
            content = make_file(found, part, file_format, place=form.cleaned_data["place"] or 0)
        except CorrelationInputError as error:
            raise NotFound(f"{error}.") from error
        file_name = f"{study.name}-systems-{part}.{file_format}"
        return send_file(content, file_name=file_name)


def _find(study: Study, choices: RankingChoices) -> StudyRanking | Response:
    """Return the ranking, or the answer while a job computes it."""
    known = find_ranking(study, choices, now=timezone.now())
    if known.made is not None:
        if known.made.problem:
            raise CorrelationInputError(known.made.problem)
        return known.made
    if known.job is None:
        raise CorrelationInputError("the ranking could not be computed; ask again in ten minutes")
    return Response(JobSerializer(known.job).data, status=202, headers={"Retry-After": "5"})

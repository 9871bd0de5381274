"""Items on which a metric and people, two metrics, or raters differ most."""

from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from studies.analysis.disagreements.ranking import COMPARISONS, Ranking, rank_items
from studies.analysis.disagreements.shown_items import show_items, write_ranking
from studies.analysis.explorer.loaded_study import OpenedStudy, open_study
from studies.api.fetch import fetch_study
from studies.api.paging import Pages
from studies.api.serializers.disagreements import ComparedSerializer, DisagreementsSerializer, ShownItemSerializer
from studies.api.views.base import ApiView, describe, file_of, read_form
from studies.forms.analysis.disagreements import DisagreementForm
from studies.scoring.run_lists import list_scored_metrics
from studies.shared.content_types import send_lines

_CHOICES = [
    OpenApiParameter(
        "compare", str, enum=list(COMPARISONS), description="The two sides; by default a metric and the raters."
    ),
    OpenApiParameter("metric", str, description="The id of a metric with scores; by default the first."),
    OpenApiParameter("other", str, description="The second of two metrics."),
    OpenApiParameter("system", str, description="Only captions of this system."),
    OpenApiParameter("category", str, description="Only items of this category."),
]
_TUPLES = OpenApiParameter("tuples", bool, description="Include scene-graph tuples, which takes a while.")


class ItemPages(Pages):
    """Pages with few items, since items include explanations."""

    page_size = 10
    max_page_size = 100


_PAGE = [
    OpenApiParameter("page", int, description="From 1."),
    OpenApiParameter("page_size", int, description=f"At most {ItemPages.max_page_size}."),
]


class DisagreementList(ApiView):
    """The items on which two sides differ most."""

    @describe(
        "List the items with the largest disagreement\nBetween a metric and the raters, two metrics, or raters; "
        "with votes, scores, and the words that captions and references share.",
        answer=DisagreementsSerializer,
        parameters=[*_CHOICES, _TUPLES, *_PAGE],
        operation="disagreements",
    )
    def get(self, request: Request, name: str) -> Response:
        _, form, ranking = _rank(request, name)
        pager = ItemPages()
        ranks = pager.paginate_queryset(range(len(ranking.rows)), request, view=self)
        bounds = {"start": ranks[0], "stop": ranks[-1] + 1} if ranks else {"start": 0, "stop": 0}
        items = show_items(ranking, **bounds, with_tuples=form.cleaned_data["tuples"])
        answer = pager.get_paginated_response(ShownItemSerializer(items, many=True).data)
        answer.data = {"compared": ComparedSerializer(ranking).data, **answer.data}
        return answer


class DisagreementFile(ApiView):
    """All items as a file."""

    @describe(
        "Download disagreements as CSV\nAll items, in order, with the scores of all metrics.",
        answer=file_of("text/csv"),
        parameters=_CHOICES,
    )
    def get(self, request: Request, name: str) -> StreamingHttpResponse:
        opened, _, ranking = _rank(request, name)
        lines = write_ranking(ranking, study=opened.judged)
        return send_lines(lines, file_name=f"{name}-disagreements.csv")


def _rank(request: Request, name: str) -> tuple[OpenedStudy, DisagreementForm, Ranking]:
    opened = open_study(fetch_study(request, name))
    metrics = list_scored_metrics(opened.judged)
    form = DisagreementForm(request.query_params, metrics=metrics, facets=opened.facets)
    read_form(form)
    return opened, form, rank_items(opened, form.comparison)

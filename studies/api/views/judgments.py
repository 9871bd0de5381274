"""Items, raters, judgments and exclusions."""

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from studies.analysis.items import add_judgments, list_items
from studies.api.fetch import fetch_study, who_and_when
from studies.api.paging import Cursor
from studies.api.serializers.studies import (
    ExclusionSerializer,
    ItemSerializer,
    JudgmentSerializer,
    NewExclusionSerializer,
    RaterSerializer,
)
from studies.api.views.base import CONFIRM_DEVIATION, ApiView, describe, file_of, list_of
from studies.forms.confirming import read_confirmation
from studies.models import Rater
from studies.monitoring.exclusion import exclude_rater, lift_exclusion
from studies.monitoring.raters import list_raters
from studies.publishing.exports import export_judgments, record_reading
from studies.publishing.judgments import list_exclusions, list_judgments
from studies.rules import CHANGE_STUDY
from studies.shared.content_types import send_lines

CURSOR = [
    OpenApiParameter("cursor", str, description="From `next` of the page before."),
    OpenApiParameter("page_size", int, description="At most 5,000."),
]


class ItemList(ApiView):
    """The items of main tasks."""

    @list_of(ItemSerializer, "List items\nItems of main tasks, with their judgments.")
    def get(self, request: Request, name: str) -> Response:
        items = list_items(fetch_study(request, name))

        def make_address(image: int) -> str:
            return reverse("api:image", kwargs={"name": name, "pk": image}, request=request)

        context = {"make_address": make_address}
        return self.answer_page(items, ItemSerializer, request, prepare=add_judgments, context=context)


class RaterList(ApiView):
    """The raters, by pseudonym."""

    @list_of(RaterSerializer, "List raters\nBy pseudonym, those with the most judgments first.")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(list_raters(fetch_study(request, name)), RaterSerializer, request)


class JudgmentList(ApiView):
    """The judgments of main tasks."""

    pagination = Cursor

    @list_of(
        JudgmentSerializer,
        "List judgments\nJudgments of main tasks, in the order of arrival. Recorded in the history, at most once an "
        "hour.",
        parameters=CURSOR,
    )
    def get(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name)
        page = self.answer_page(list_judgments(study), JudgmentSerializer, request)
        record_reading(study, **who_and_when(request))
        return page


class JudgmentFile(ApiView):
    """All judgments as a file."""

    @describe(
        "Download judgments as CSV\nStreamed, for programs, with text unchanged. Recorded in the history.",
        answer=file_of("text/csv"),
    )
    def get(self, request: Request, name: str) -> StreamingHttpResponse:
        study = fetch_study(request, name)
        lines = export_judgments(study, guards=False, **who_and_when(request))
        return send_lines(lines, file_name=f"{study.name}-judgments.csv")


class ExclusionList(ApiView):
    """The excluded raters."""

    @list_of(ExclusionSerializer, "List exclusions\nIncluding lifted ones, newest first.")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(list_exclusions(fetch_study(request, name)), ExclusionSerializer, request)

    @describe(
        "Exclude a rater\nFrom all analyses from now on. The judgments are kept.",
        body=NewExclusionSerializer,
        example={"rater": "rater-1", "reason": "Answered every item within a second."},
        answer=ExclusionSerializer,
        status=201,
        parameters=CONFIRM_DEVIATION,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, CHANGE_STUDY)
        given = self.read(NewExclusionSerializer, request).validated_data
        rater = get_object_or_404(Rater.objects.select_related("study"), study=study, pseudonym=given["rater"])
        made = exclude_rater(
            rater,
            reason=given["reason"],
            gives_slots_back=given["gives_slots_back"],
            confirmation=read_confirmation(request.query_params),
            **who_and_when(request),
        )
        return Response(ExclusionSerializer(made).data, status=201)


class ExclusionDetail(ApiView):
    """One exclusion in force."""

    @describe("Lift the exclusion of a rater", answer=None, status=204)
    def delete(self, request: Request, name: str, rater: str) -> Response:
        study = fetch_study(request, name, CHANGE_STUDY)
        found = get_object_or_404(Rater.objects.select_related("study"), study=study, pseudonym=rater)
        if not lift_exclusion(found, **who_and_when(request)):
            raise NotFound(f"Rater {rater} is not excluded.")
        return Response(status=204)

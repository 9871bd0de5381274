"""Runs of metrics: requesting, watching, pausing, resuming and cancelling them; and stored scores."""

from collections.abc import Callable

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from studies.api.fetch import fetch_study, list_studies, who_and_when
from studies.api.serializers.runs import NewRunSerializer, RunDetailSerializer, RunSerializer, ScoredSerializer
from studies.api.views.base import CONFIRM_DEVIATION, ApiView, describe, list_of
from studies.forms.confirming import read_confirmation
from studies.models import ScoringRequest, Study
from studies.rules import ANALYSE_STUDY, VIEW_STUDY
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.requests import (
    cancel_request,
    list_training_studies,
    pause_request,
    request_scoring,
    resume_request,
)
from studies.scoring.run_lists import list_requests, list_runs

_CHANGE = OpenApiParameter("change", str, OpenApiParameter.PATH, enum=["pause", "resume", "cancel"])
_CHANGES: dict[str, Callable[..., None]] = {
    "pause": pause_request,
    "resume": resume_request,
    "cancel": cancel_request,
}


class ScoredList(ApiView):
    """The stored scores of a study's dataset."""

    @list_of(
        ScoredSerializer, "List stored scores\nEach with its provenance: signature, input, package, versions, device."
    )
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(list_runs(fetch_study(request, name).dataset), ScoredSerializer, request)


class RunList(ApiView):
    """The requested runs."""

    @list_of(RunSerializer, "List runs\nNewest first.", operation="runs_list")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(list_requests(fetch_study(request, name)), RunSerializer, request)

    @describe(
        "Start a run\nIt runs in the background: poll until its state is `finished` or `failed`.",
        body=NewRunSerializer,
        example={"metrics": ["length", "rouge-l"]},
        answer=RunDetailSerializer,
        status=202,
        parameters=CONFIRM_DEVIATION,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, ANALYSE_STUDY)
        given = self.read(NewRunSerializer, request).validated_data
        named = given.pop("judgments")
        made = request_scoring(
            study,
            **given,
            judging=_find_training_study(request, study, named) if named and named != study.name else None,
            catalog=load_catalog(),
            confirmation=read_confirmation(request.query_params),
            **who_and_when(request),
        )
        return Response(RunDetailSerializer(list_requests(study).get(pk=made.pk)).data, status=202)


class RunDetail(ApiView):
    """One run."""

    @describe("Show a run\nIts progress, and each of its metrics.", answer=RunDetailSerializer)
    def get(self, request: Request, name: str, pk: int) -> Response:
        return Response(RunDetailSerializer(_fetch_run(request, name, pk, right=VIEW_STUDY)).data)


class RunChange(ApiView):
    """Pauses, resumes or cancels a run."""

    @describe("Pause, resume or cancel a run", answer=RunDetailSerializer, parameters=[_CHANGE], operation="run_change")
    def post(self, request: Request, name: str, pk: int, change: str) -> Response:
        asked = _fetch_run(request, name, pk, right=ANALYSE_STUDY)
        if change not in _CHANGES:
            raise Http404(f"A run can {', '.join(_CHANGES)}, not {change}.")
        _CHANGES[change](asked, **who_and_when(request))
        return Response(RunDetailSerializer(asked).data)


def _find_training_study(request: Request, study: Study, name: str) -> Study:
    """Return another study whose judgments may be read and used for training; 400 if there is none of that name."""
    training_study = list_training_studies(list_studies(request), study).filter(name=name).first()
    if training_study is None:
        told = f"There is no study {name!r} that you may read here, with judgments of the same items."
        raise ValidationError({"judgments": [told]})
    return training_study


def _fetch_run(request: Request, name: str, pk: int, *, right: str) -> ScoringRequest:
    return get_object_or_404(list_requests(fetch_study(request, name, right)), pk=pk)

"""Runs of metrics: asked for, watched, paused, taken up again and given up; and the scores that there are."""

from collections.abc import Callable

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from studies.api.fetch import fetch_study, list_studies, make_actor
from studies.api.routes.base import Route, describe, list_of
from studies.api.shapes.runs import NewRunShape, RunDetailShape, RunShape, ScoredShape
from studies.models import ScoringRequest, Study
from studies.rules import ANALYSE_STUDY, VIEW_STUDY
from studies.scoring.plugin_catalog import load_catalog
from studies.scoring.requests.requesting import (
    cancel_request,
    list_teachers,
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


class ScoredList(Route):
    """The scores that are stored for a study's dataset."""

    @list_of(ScoredShape, "List stored scores\nEach with its provenance: signature, input, package, versions, device.")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(list_runs(fetch_study(request, name).dataset), ScoredShape, request)


class RunList(Route):
    """The runs that were asked for."""

    @list_of(RunShape, "List runs\nNewest first.", operation="runs_list")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(list_requests(fetch_study(request, name)), RunShape, request)

    @describe(
        "Start a run\nIt is worked on in the background: ask for it again until its state is `finished` or `failed`.",
        body=NewRunShape,
        example={"metrics": ["length", "rouge-l"]},
        answer=RunDetailShape,
        status=202,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, ANALYSE_STUDY)
        given = self.read(NewRunShape, request).validated_data
        named = given.pop("judgments")
        made = request_scoring(
            study,
            **given,
            judging=_find_teacher(request, study, named) if named and named != study.name else None,
            catalog=load_catalog(),
            actor=make_actor(request),
            now=timezone.now(),
        )
        return Response(RunDetailShape(made).data, status=202)


class RunDetail(Route):
    """One run."""

    @describe("Show a run\nHow far it is, and each of its metrics.", answer=RunDetailShape)
    def get(self, request: Request, name: str, pk: int) -> Response:
        return Response(RunDetailShape(_fetch_run(request, name, pk, right=VIEW_STUDY)).data)


class RunChange(Route):
    """Pausing a run, taking it up again, giving it up."""

    @describe("Pause, resume or cancel a run", answer=RunDetailShape, parameters=[_CHANGE], operation="run_change")
    def post(self, request: Request, name: str, pk: int, change: str) -> Response:
        asked = _fetch_run(request, name, pk, right=ANALYSE_STUDY)
        if change not in _CHANGES:
            raise Http404(f"A run can {', '.join(_CHANGES)}, not {change}.")
        _CHANGES[change](asked, actor=make_actor(request), now=timezone.now())
        return Response(RunDetailShape(asked).data)


def _find_teacher(request: Request, study: Study, name: str) -> Study:
    """Return another study whose judgments may be read and learned from; 400 if there is none of that name."""
    teacher = list_teachers(list_studies(request), study).filter(name=name).first()
    if teacher is None:
        told = f"There is no study {name!r} that you may read here, with judgments of what is scored."
        raise ValidationError({"judgments": [told]})
    return teacher


def _fetch_run(request: Request, name: str, pk: int, *, right: str) -> ScoringRequest:
    study = fetch_study(request, name, right)
    return get_object_or_404(
        ScoringRequest.objects.select_related("study", "requested_by", "judging"), study=study, pk=pk
    )

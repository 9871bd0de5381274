"""Simulations of a draft: requests, progress, reports, and the studies made of them."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from studies.api.fetch import fetch_study, refuse_tokens, who_and_when
from studies.api.serializers.simulations import NewSimulationSerializer, SimulationSerializer
from studies.api.serializers.studies import StudyDetailSerializer
from studies.api.views.base import ApiView, describe, list_of
from studies.api.views.studies import show_detail
from studies.design.study_facts import load_facts
from studies.models import Simulation, Study
from studies.rules import CHANGE_STUDY
from studies.simulation.jobs import ask_for_simulation
from studies.simulation.trials import make_trial


class SimulationList(ApiView):
    """The simulations of a study."""

    @list_of(SimulationSerializer, "List simulations\nNewest first.", operation="simulations_list")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(_list(_fetch_study(request, name)), SimulationSerializer, request)

    @describe(
        "Simulate the study\nSimulated raters work on a copy of the draft; the study itself is not affected. It "
        "runs in the background: poll until the state is `done` or `failed`.",
        body=NewSimulationSerializer,
        answer=SimulationSerializer,
        status=202,
        example={"raters": 30, "seed": 0},
    )
    def post(self, request: Request, name: str) -> Response:
        study = _fetch_study(request, name)
        given = self.read(NewSimulationSerializer, request).validated_data
        panel = given["panel"] or load_facts(study).design.panel.kind
        asked = ask_for_simulation(study, **{**given, "panel": panel}, **who_and_when(request))
        # With immediate background work it has already progressed.
        return Response(SimulationSerializer(_list(study).get(pk=asked.pk)).data, status=202)


class SimulationDetail(ApiView):
    """One simulation."""

    @describe("Show a simulation\nIts progress, and the report once it is done.", answer=SimulationSerializer)
    def get(self, request: Request, name: str, pk: int) -> Response:
        return Response(SimulationSerializer(_fetch(request, name, pk)).data)


class SimulationStudy(ApiView):
    """The study made of a simulation."""

    @describe(
        "Create a study from a simulation\nA closed study with the simulated judgments, to try the analysis; created "
        "once.",
        answer=StudyDetailSerializer,
        status=201,
    )
    def post(self, request: Request, name: str, pk: int) -> Response:
        simulation = _fetch(request, name, pk)
        refuse_tokens(request)
        trial = make_trial(simulation, **who_and_when(request))
        return show_detail(request, trial, status=201)


def _fetch_study(request: Request, name: str) -> Study:
    return fetch_study(request, name, CHANGE_STUDY)


def _list(study: Study) -> QuerySet[Simulation]:
    kept = Simulation.objects.filter(study=study).select_related("trial", "made_by", "study")
    return kept.defer("answers").order_by("-pk")


def _fetch(request: Request, name: str, pk: int) -> Simulation:
    return get_object_or_404(_list(_fetch_study(request, name)), pk=pk)

"""Rehearsals of a draft: asked for, watched, read, and made into a study to try the analysis on."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from annotation_ui.rehearsal.api.shapes import NewRehearsalShape, RehearsalShape
from annotation_ui.rehearsal.jobs import ask_for_rehearsal
from studies.api.fetch import fetch_study, make_actor, refuse_tokens
from studies.api.routes.base import Route, describe, list_of
from studies.api.routes.studies import show_detail
from studies.api.shapes.studies import StudyDetailShape
from studies.design.facts import load_facts
from studies.models import Rehearsal, Study
from studies.rules import CHANGE_STUDY
from studies.simulation.rehearsing import make_trial


class RehearsalList(Route):
    """The rehearsals of a study."""

    @list_of(RehearsalShape, "List rehearsals\nNewest first.", operation="rehearsals_list")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(_list(_fetch_study(request, name)), RehearsalShape, request)

    @describe(
        "Rehearse the study\nScripted raters do a copy of the draft, and nothing of it is in the study. They play in "
        "the background: ask again until the state is `done` or `failed`.",
        body=NewRehearsalShape,
        answer=RehearsalShape,
        status=202,
        example={"raters": 30, "speed": 60, "seed": 0},
    )
    def post(self, request: Request, name: str) -> Response:
        study = _fetch_study(request, name)
        given = self.read(NewRehearsalShape, request).validated_data
        panel = given["panel"] or load_facts(study).design.panel.kind
        asked = ask_for_rehearsal(study, **{**given, "panel": panel}, actor=make_actor(request), now=timezone.now())
        # Where tasks are done at once there is more to tell already.
        return Response(RehearsalShape(_list(study).get(pk=asked.pk)).data, status=202)


class RehearsalDetail(Route):
    """One rehearsal."""

    @describe("Show a rehearsal\nHow far it is, and the report once it is done.", answer=RehearsalShape)
    def get(self, request: Request, name: str, pk: int) -> Response:
        return Response(RehearsalShape(_fetch(request, name, pk)).data)


class RehearsalStudy(Route):
    """The study that is made of a rehearsal."""

    @describe(
        "Make a study of a rehearsal\nClosed, with the simulated judgments, to try the analysis on; made once.",
        answer=StudyDetailShape,
        status=201,
    )
    def post(self, request: Request, name: str, pk: int) -> Response:
        rehearsal = _fetch(request, name, pk)
        refuse_tokens(request)
        trial = make_trial(rehearsal, actor=make_actor(request), now=timezone.now())
        return show_detail(request, trial, status=201)


def _fetch_study(request: Request, name: str) -> Study:
    return fetch_study(request, name, CHANGE_STUDY)


def _list(study: Study) -> QuerySet[Rehearsal]:
    kept = Rehearsal.objects.filter(study=study).select_related("trial", "made_by", "study")
    return kept.defer("answers").order_by("-pk")


def _fetch(request: Request, name: str, pk: int) -> Rehearsal:
    return get_object_or_404(_list(_fetch_study(request, name)), pk=pk)

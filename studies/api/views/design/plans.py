"""Preregistrations, deviations from them, and plans for the size of a study."""

from dataclasses import asdict
from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.serializers import ValidationError

from correlation.errors import CorrelationInputError
from studies.analysis.planning import make_plan
from studies.analysis.preregistration.deviations import list_study_deviations
from studies.api.fetch import fetch_study, list_studies, make_actor
from studies.api.serializers.plans import (
    DeviationSerializer,
    NewPreregistrationSerializer,
    PlanQuestionSerializer,
    PlanSerializer,
    PreregistrationSerializer,
)
from studies.api.views.base import ApiView, describe, list_of, read_form
from studies.design.preregistration.declaration import preregister_study
from studies.forms.analysis.planning import PlanForm
from studies.forms.design.preregistration import PreregistrationForm, propose_test
from studies.models import Preregistration, Study
from studies.rules import CHANGE_STUDY
from studies.shared.content_types import send_file

_PLAN: Final = {
    "protocol": "flickr8k-expert@1",
    "coefficient": "kendall-c",
    "metrics": ["length", "rouge-l"],
    "stopping_rule": "When every task has a rater.",
}


class PreregistrationList(ApiView):
    """The preregistrations of a study."""

    @list_of(PreregistrationSerializer, "List preregistrations\nNewest first; the newest is in force.")
    def get(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name)
        kept = Preregistration.objects.filter(study=study).select_related("frozen_by").defer("content")
        return self.answer_page(
            kept.order_by("-number"), PreregistrationSerializer, request, context=_address(request, study)
        )

    @describe(
        "Preregister design, items, exclusion criteria and plan\nOnly before the first rater is given a main task.",
        body=NewPreregistrationSerializer,
        example=_PLAN,
        answer=PreregistrationSerializer,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, CHANGE_STUDY)
        given = self.read(NewPreregistrationSerializer, request).validated_data
        chosen = {"metrics": ",".join(given["metrics"]), "test": given["test"] or propose_test(given["protocol"])}
        form = PreregistrationForm({**given, **chosen}, study=study)
        read_form(form)
        actor = make_actor(request)
        made = preregister_study(study, plan=form.plan, now=timezone.now(), actor=actor, user=actor.user)
        return Response(PreregistrationSerializer(made, context=_address(request, study)).data, status=201)


class PreregistrationFile(ApiView):
    """The file of one preregistration."""

    @describe(
        "Download a preregistration\nCanonical JSON, whose SHA-256 is the digest.",
        answer={(200, "application/json"): OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, name: str, number: int) -> HttpResponse:
        study = fetch_study(request, name)
        kept = get_object_or_404(Preregistration, study=study, number=number)
        file_name = f"{study.name}-preregistration-{number}.json"
        return send_file(kept.content.encode(), file_name=file_name)


class DeviationList(ApiView):
    """The deviations from the preregistration."""

    @describe(
        "List deviations from the preregistration", answer=DeviationSerializer(many=True), operation="deviations_list"
    )
    def get(self, request: Request, name: str) -> Response:
        return Response([asdict(each) for each in list_study_deviations(fetch_study(request, name))])


class Planner(ApiView):
    """The required size of a study."""

    @describe(
        "Plan the sample size\nFrom assumptions or from a pilot, with the cost.",
        body=PlanQuestionSerializer,
        example={"what": "preference", "assumptions": {"share": 0.6}, "seconds": 30, "wage": 12},
        answer=PlanSerializer,
    )
    def post(self, request: Request, name: str) -> Response:
        fetch_study(request, name)
        given = self.read(PlanQuestionSerializer, request).validated_data
        # Fetch only the named pilot, since an account may have thousands of studies.
        pilots = list(list_studies(request).exclude(started_at=None).filter(name=given["pilot"]))
        form = PlanForm({**given.pop("assumptions"), **given}, pilots=pilots)
        read_form(form)
        try:
            plan = make_plan(form.cleaned_data["what"], **form.question)
        except CorrelationInputError as error:
            # The messages are from the command, whose options have the names of the fields.
            raise ValidationError([str(error).replace("--", "")]) from error
        return Response(asdict(plan))


def _address(request: Request, study: Study) -> dict[str, Any]:
    def make_address(number: int) -> str:
        return reverse("api:preregistration_file", kwargs={"name": study.name, "number": number}, request=request)

    return {"make_address": make_address}

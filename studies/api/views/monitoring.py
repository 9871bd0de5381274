"""The numbers of the monitoring page, the stopping rule, and its looks."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from studies.api.fetch import fetch_study, make_actor
from studies.api.serializers.monitoring import (
    LookSerializer,
    MonitoringSerializer,
    StoppingRuleSerializer,
    StoppingSerializer,
)
from studies.api.views.base import CONFIRM_DEVIATION, ApiView, describe, is_on, list_of
from studies.design.changes import change_design
from studies.forms.confirming import read_confirmation
from studies.models import StoppingLook, Study
from studies.monitoring.live.jobs import load_counts, load_snapshot
from studies.monitoring.stopping_rules import StoppingState, describe_state, take_look
from studies.rules import ANALYSE_STUDY, CHANGE_STUDY

_WAIT = OpenApiParameter("wait", bool, description="Compute within this request, which may take a minute.")
_RULE = {"kind": "interval-width", "width": 0.1, "metrics": ["cider"], "looks": 4, "alpha": 0.05}


class Monitoring(ApiView):
    """The numbers of the monitoring page."""

    @describe(
        "Show the current state of data collection\nCounts of now, and the newest snapshot of agreement, the "
        "growing table, pay and raters. A snapshot is made in the background: ask again until `is_pending` is false.",
        answer=MonitoringSerializer,
        parameters=[_WAIT],
    )
    def get(self, request: Request, name: str) -> Response:
        study, now, wait = fetch_study(request, name), timezone.now(), is_on(request, "wait")
        counts, watched = load_counts(study, now=now, wait=wait), load_snapshot(study, now=now, wait=wait)
        shown = {"counts": counts, "snapshot": watched.snapshot, "is_pending": watched.is_pending}
        return Response(MonitoringSerializer(shown).data, headers={"Cache-Control": "no-store"})


class Stopping(ApiView):
    """The stopping rule."""

    @describe("Show the stopping rule\nWith the current state of the study under the rule.", answer=StoppingSerializer)
    def get(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name)
        state = _find_state(study)
        if state is None:
            raise NotFound(f"The design of study {study.name} has no stopping rule.")
        return Response(StoppingSerializer(state).data)

    @describe(
        "Declare the stopping rule\nCreates a new version of the design with this rule. It cannot be changed after "
        "the first look.",
        body=StoppingRuleSerializer,
        answer=StoppingSerializer,
        example=_RULE,
        parameters=CONFIRM_DEVIATION,
    )
    def put(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, CHANGE_STUDY)
        _declare(request, study, self.read(StoppingRuleSerializer, request).read())
        return Response(StoppingSerializer(_find_state(study)).data)

    @describe(
        "Remove the stopping rule\nData collection then ends when it is complete.",
        answer=None,
        status=204,
        parameters=CONFIRM_DEVIATION,
    )
    def delete(self, request: Request, name: str) -> Response:
        _declare(request, fetch_study(request, name, CHANGE_STUDY), None)
        return Response(status=204)


class LookList(ApiView):
    """The looks taken so far."""

    @list_of(LookSerializer, "List the interim looks\nOnly those already taken.", operation="looks_list")
    def get(self, request: Request, name: str) -> Response:
        looks = StoppingLook.objects.filter(study=fetch_study(request, name)).select_related("taken_by")
        return self.answer_page(looks.order_by("number"), LookSerializer, request)

    @describe(
        "Take the interim look that is due\nThe look spends part of the error rate, is recorded, and cannot be "
        "repeated. It closes the study if the rule is met and says so.",
        answer=LookSerializer,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study, actor = fetch_study(request, name, ANALYSE_STUDY), make_actor(request)
        taken = take_look(study, now=timezone.now(), actor=actor, user=actor.user)
        return Response(LookSerializer(taken).data, status=201)


def _find_state(study: Study) -> StoppingState | None:
    counts = load_counts(study, now=timezone.now())
    return describe_state(study, n_judgments=counts.n_judgments)


def _declare(request: Request, study: Study, rule: dict[str, Any] | None) -> None:
    actor = make_actor(request)
    change_design(
        study,
        changes={"stopping_rule": rule},
        now=timezone.now(),
        actor=actor,
        user=actor.user,
        confirmation=read_confirmation(request.query_params),
    )

"""Installed metrics, their conformance, and the choices of a study."""

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from metrics_plugins.api.errors import UnknownMetric
from metrics_plugins.runtime.sandbox import CatalogEntry
from studies.api.fetch import fetch_study, refuse_tokens, who_and_when
from studies.api.serializers.metrics import (
    CardSerializer,
    MetricChoiceSerializer,
    MetricSerializer,
    RefusedSerializer,
    StudyMetricSerializer,
)
from studies.api.views.base import CONFIRM_DEVIATION, ApiView, describe
from studies.forms.confirming import read_confirmation
from studies.rules import ANALYSE_STUDY
from studies.scoring.metric_choices import list_choices, set_parameters, switch_metric
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.plugins.conformance import find_conformance, request_check
from studies.scoring.plugins.installed import describe_metric, list_plugins, select_metrics
from studies.scoring.plugins.published import find_agreement
from studies.scoring.requested_runs.costs import MetricCost, list_costs
from studies.scoring.requested_runs.options import MetricOption, find_planned, list_options, make_option
from studies.scoring.run_lists import find_signature

_SEARCH: Final = {
    "q": "Words that must all occur.",
    "level": "`segment`, `set` or `corpus`.",
    "reads": "An input, such as `image`.",
    "group": "A family of bundled metrics, a package or a file.",
}


class MetricList(ApiView):
    """The installed metrics."""

    @describe(
        "List metrics\nWith what each declares and the package that provides it; all metrics, or the matching ones.",
        answer=MetricSerializer(many=True),
        parameters=[OpenApiParameter(name, description=what) for name, what in _SEARCH.items()],
        operation="metrics_list",
    )
    def get(self, request: Request) -> Response:
        asked = {name: request.query_params.get(name, "") for name in _SEARCH}
        return Response(MetricSerializer(select_metrics(list_plugins().metrics, **asked), many=True).data)


class RefusedList(ApiView):
    """The plugins that cannot be used."""

    @describe("List plugins that cannot be used", answer=RefusedSerializer(many=True), operation="refused_plugins_list")
    def get(self, request: Request) -> Response:
        return Response(RefusedSerializer(list_plugins().refused, many=True).data)


class MetricDetail(ApiView):
    """One metric."""

    @describe(
        "Show a metric\nIts declaration, its card, its agreement with published judgments and its checks.",
        answer=CardSerializer,
    )
    def get(self, request: Request, metric: str) -> Response:
        return _show_card(fetch_metric(metric))


class MetricChecks(ApiView):
    """The checks of one metric."""

    @describe(
        "Run the conformance checks of a metric\nIn the background: poll the metric until the state is `finished`.",
        answer=CardSerializer,
        status=202,
        operation="metric_check",
    )
    def post(self, request: Request, metric: str) -> Response:
        refuse_tokens(request)
        entry = fetch_metric(metric)
        request_check(entry, now=timezone.now(), by=request.user.pk)
        return _show_card(entry, status=202)


class StudyMetricList(ApiView):
    """The metrics that can score a study."""

    @describe(
        "List the metrics of the study\nThe metrics that can score it, with their settings.",
        answer=StudyMetricSerializer(many=True),
        operation="study_metrics_list",
    )
    def get(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name)
        options = list_options(study, load_catalog())
        costs = list_costs(study, [option.entry for option in options])
        return Response([_tell(option, costs) for option in options])


class StudyMetricDetail(ApiView):
    """The study's choices for one metric."""

    @describe(
        "Enable or disable a metric, or set its parameters\nThe next run uses the parameters.",
        body=MetricChoiceSerializer,
        example={"enabled": False},
        answer=StudyMetricSerializer,
        parameters=CONFIRM_DEVIATION,
    )
    def patch(self, request: Request, name: str, metric: str) -> Response:
        study, entry = fetch_study(request, name, ANALYSE_STUDY), fetch_metric(metric)
        given = self.read(MetricChoiceSerializer, request).validated_data
        made = {"confirmation": read_confirmation(request.query_params), **who_and_when(request)}
        with transaction.atomic():
            if "parameters" in given:
                set_parameters(study, entry=entry, params=given["parameters"], **made)
            if "enabled" in given:
                switch_metric(study, metric=entry.info.id, enabled=given["enabled"], **made)
        choice, planned = list_choices(study).get(entry.info.id), find_planned(study)
        return Response(_tell(make_option(entry, choice, planned), list_costs(study, [entry])))


def fetch_metric(metric: str) -> CatalogEntry:
    """Return an installed metric, or answer 404."""
    try:
        return load_catalog().get(metric)
    except UnknownMetric as error:
        raise NotFound(str(error)) from error


def _show_card(entry: CatalogEntry, *, status: int = 200) -> Response:
    conformance = find_conformance(entry)
    card = {
        **MetricSerializer(describe_metric(entry)).data,
        "card": entry.info.card,
        "agreement": find_agreement(entry),
        "module": entry.module,
        "signature": (conformance and conformance.signature) or find_signature(entry),
        "conformance": conformance,
    }
    return Response(CardSerializer(card).data, status=status)


def _tell(option: MetricOption, costs: Mapping[str, MetricCost]) -> dict[str, Any]:
    choice = option.choice
    return {
        "metric": option.info.id,
        "title": option.info.title,
        "family": option.family,
        "recommended": option.is_recommended,
        "enabled": option.is_enabled,
        "estimated_seconds": costs[option.info.id].alone if option.info.id in costs else None,
        "available": not option.missing,
        "missing": list(map(str, option.missing)),
        "install": list(option.install),
        "parameters": choice.params if choice else {},
        "signature": choice.signature if choice else "",
    }

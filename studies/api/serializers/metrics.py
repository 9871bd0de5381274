"""Serializers of metrics: what they declare, how they keep the contract, and what a study chose of them."""

from typing import Any

from rest_framework import serializers

from studies.api.serializers.values import serializer_of
from studies.enums import RequestState
from studies.scoring.conformance import Clause
from studies.scoring.plugins import InstalledMetric

MetricSerializer = serializer_of(InstalledMetric, name="Metric")


class ClauseSerializer(serializer_of(Clause, name="ClauseFields")):  # type: ignore[misc]
    """One clause of the contract; the message says what is wrong where it is broken."""

    passed = serializers.BooleanField()


class ConformanceSerializer(serializers.Serializer):
    """How a metric keeps the contract, as it is installed now."""

    state = serializers.ChoiceField(choices=RequestState.choices)
    message = serializers.CharField(help_text="Why it could not be checked.")
    requested_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    n_passed = serializers.IntegerField()
    clauses = ClauseSerializer(many=True)


class CardSerializer(MetricSerializer):  # type: ignore[misc, valid-type]
    """A metric's contract card: what it declares, where it stands, how it signs, and what its checks found."""

    module = serializers.CharField()
    signature = serializers.CharField(help_text="Empty before it was ever built.")
    conformance = ConformanceSerializer(allow_null=True, help_text="null before it was ever checked.")


class RefusedSerializer(serializers.Serializer):
    """A plugin that cannot be used, and why."""

    plugin = serializers.CharField()
    distribution = serializers.CharField()
    reason = serializers.CharField()


class StudyMetricSerializer(serializers.Serializer):
    """A metric that can score a study, and what the study chose of it."""

    metric = serializers.CharField()
    title = serializers.CharField()
    enabled = serializers.BooleanField()
    parameters = serializers.DictField(help_text="Those that differ from its defaults.")
    signature = serializers.CharField(help_text="Of the scores that the study uses; empty for the newest.")


class MetricChoiceSerializer(serializers.Serializer):
    """What the study is to choose of a metric; what is left out stays."""

    enabled = serializers.BooleanField(required=False)
    parameters = serializers.DictField(required=False, help_text="All that are to differ from the defaults.")

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if not given:
            raise serializers.ValidationError("Say `enabled`, `parameters` or both.")
        return given

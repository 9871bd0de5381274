"""Serializers of metrics: their declarations, conformance and choices of a study."""

from typing import Any

from rest_framework import serializers

from metrics_plugins.api import MetricCard
from studies.api.serializers.values import serializer_of
from studies.enums import RequestState
from studies.scoring.plugins.conformance import Clause
from studies.scoring.plugins.installed import InstalledMetric
from studies.scoring.plugins.published import PublishedAgreement

MetricSerializer = serializer_of(InstalledMetric, name="Metric")


class ClauseSerializer(serializer_of(Clause, name="ClauseFields")):  # type: ignore[misc]
    """One clause of the contract, with the error if it is broken."""

    passed = serializers.BooleanField()


class ConformanceSerializer(serializers.Serializer):
    """The conformance of the installed version of a metric."""

    state = serializers.ChoiceField(choices=RequestState.choices)
    message = serializers.CharField(help_text="Why it could not be checked.")
    requested_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    n_passed = serializers.IntegerField()
    clauses = ClauseSerializer(many=True)


class MetricCardSerializer(serializer_of(MetricCard, name="MetricCardFields")):  # type: ignore[misc]
    """What the author of a metric says of it."""

    bibtex = serializers.CharField(help_text="The publications as entries of a BibTeX file.")


class CardSerializer(MetricSerializer):  # type: ignore[misc, valid-type]
    """A metric: its declaration, its card, its plugin, its signature, its agreement and the results of its checks."""

    card = MetricCardSerializer(allow_null=True, help_text="null if its plugin gives none.")
    agreement = serializer_of(PublishedAgreement, name="PublishedAgreement")(
        many=True, help_text="With published judgments; empty if it was not measured."
    )
    module = serializers.CharField()
    signature = serializers.CharField(help_text="Empty if it has never been built.")
    conformance = ConformanceSerializer(allow_null=True, help_text="null if it has never been checked.")


class RefusedSerializer(serializers.Serializer):
    """A plugin that cannot be used, with the reason."""

    plugin = serializers.CharField()
    distribution = serializers.CharField()
    reason = serializers.CharField()


class StudyMetricSerializer(serializers.Serializer):
    """A metric that can score a study, and the study's choices for it."""

    metric = serializers.CharField()
    title = serializers.CharField()
    enabled = serializers.BooleanField()
    family = serializers.CharField(help_text="The family of a bundled metric, otherwise its package or file.")
    recommended = serializers.BooleanField(help_text="Whether a run started on the page has it by default.")
    estimated_seconds = serializers.FloatField(
        allow_null=True, help_text="The computing time of a run of this metric alone; null if unknown."
    )
    available = serializers.BooleanField(help_text="Whether everything is installed that it needs.")
    missing = serializers.ListField(child=serializers.CharField(), help_text="What is not installed.")
    install = serializers.ListField(child=serializers.CharField(), help_text="The commands that install it.")
    parameters = serializers.DictField(help_text="Those that differ from its defaults.")
    signature = serializers.CharField(
        help_text="The signature of the scores that the study uses; empty for the newest."
    )


class MetricChoiceSerializer(serializers.Serializer):
    """The study's choices for a metric; omitted fields are unchanged."""

    enabled = serializers.BooleanField(required=False)
    parameters = serializers.DictField(required=False, help_text="All that should differ from the defaults.")

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if not given:
            raise serializers.ValidationError("Give `enabled`, `parameters` or both.")
        return given

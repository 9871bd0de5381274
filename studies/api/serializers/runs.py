"""Serializers of runs and their scores."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from studies.enums import RequestState
from studies.models import RequestedMetric, Run, ScoringRequest
from studies.scoring.run_lists import is_partial, list_asked_metrics


class ScoredSerializer(serializers.ModelSerializer):
    """Stored scores of the study's dataset, with their origin."""

    versions = serializers.DictField(read_only=True)

    class Meta:
        model = Run
        fields: ClassVar = [
            "metric",
            "signature",
            "input_digest",
            "n_rows",
            "n_infinite",
            "plugin",
            "versions",
            "device",
            "dtype",
            "peak_memory",
            "peak_gpu_memory",
            "seconds",
            "started_at",
            "finished_at",
        ]


class AskedMetricSerializer(serializers.ModelSerializer):
    """One metric of a run, and its progress."""

    params = serializers.DictField(read_only=True)
    state = serializers.ChoiceField(choices=RequestState.choices, read_only=True)

    class Meta:
        model = RequestedMetric
        fields: ClassVar = [
            "metric",
            "params",
            "state",
            "n_done",
            "n_total",
            "n_missing",
            "n_infinite",
            "seconds",
            "estimated_seconds",
            "signature",
            "message",
        ]


class RunSerializer(serializers.ModelSerializer):
    """A requested run; chunks are the units of scoring."""

    state = serializers.ChoiceField(choices=RequestState.choices, read_only=True)
    n_metrics = serializers.IntegerField(read_only=True, help_text="The number of metrics.")
    n_scored = serializers.IntegerField(read_only=True, help_text="The number of metrics that have not failed.")
    computed_seconds = serializers.FloatField(read_only=True, help_text="The time spent on all metrics so far.")
    estimated_seconds = serializers.FloatField(
        read_only=True, allow_null=True, help_text="The time estimated at the request, of the metrics with an estimate."
    )
    is_partial = serializers.SerializerMethodField(help_text="Whether it is finished although metrics failed.")
    requested_by = serializers.CharField(source="requested_by.username", read_only=True, allow_null=True, default=None)
    judgments = serializers.CharField(
        source="judging.name",
        read_only=True,
        allow_null=True,
        default=None,
        help_text="The other study whose judgments metrics are fitted on; null: the study itself.",
    )

    class Meta:
        model = ScoringRequest
        fields: ClassVar = [
            "id",
            "state",
            "is_partial",
            "n_metrics",
            "n_scored",
            "computed_seconds",
            "estimated_seconds",
            "protocol",
            "judgments",
            "n_done",
            "n_total",
            "message",
            "requested_by",
            "requested_at",
            "started_at",
            "finished_at",
        ]

    def get_is_partial(self, request: ScoringRequest) -> bool:
        return is_partial(request)


class RunDetailSerializer(RunSerializer):
    """A run with each of its metrics."""

    metrics = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields: ClassVar = [*RunSerializer.Meta.fields, "metrics"]

    @extend_schema_field(AskedMetricSerializer(many=True))
    def get_metrics(self, request: ScoringRequest) -> list[dict[str, Any]]:
        return AskedMetricSerializer(list_asked_metrics(request), many=True).data


class NewRunSerializer(serializers.Serializer):
    """The metrics that should score the study's dataset."""

    metrics = serializers.ListField(child=serializers.CharField(max_length=100), allow_empty=False, max_length=200)
    own_protocol = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Only for the protocol of this study, not of other studies of the dataset.",
    )
    judgments = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=90,
        help_text="Another study that you may read, for metrics that are fitted on judgments; by default, the study "
        "itself.",
    )

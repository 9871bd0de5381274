"""Serializers of the monitoring page and its stopping rule."""

from dataclasses import asdict
from typing import Any, ClassVar

from rest_framework import serializers

from correlation.planning.stopping import SPENDINGS
from correlation.protocols.recipe import PAIR_MEASURES
from studies.api.serializers.values import serializer_of
from studies.design.study_design import INTERVAL_WIDTH, MOST_LOOKS, MOST_WIDTH, SETTLED_RANKING, StoppingRule
from studies.models import StoppingLook
from studies.monitoring.live.counts import MonitoringCounts
from studies.monitoring.live.snapshot import Agreement, Growing, Money, Quality

_COUNTED = (
    "counted_at",
    "n_judgments",
    "n_raters",
    "last_judgment",
    "hours",
    "completion",
    "queue",
    "dropouts",
)


class CountsSerializer(serializer_of(MonitoringCounts, name="CountsFields", only=_COUNTED)):  # type: ignore[misc]
    """All counts, and their time."""

    n_planned = serializers.IntegerField(help_text="Judgments that the design plans.")


class SnapshotSerializer(serializers.Serializer):
    """The values that take longer to compute, at one time; amounts are strings, so that they stay exact."""

    made_at = serializers.DateTimeField()
    n_judgments = serializers.IntegerField()
    agreement = serializer_of(Agreement, name="RaterAgreement")()
    growing = serializer_of(Growing, name="Growing")()
    money = serializer_of(Money, name="Money")()
    quality = serializer_of(Quality, name="Quality")()


class MonitoringSerializer(serializers.Serializer):
    """The current content of the monitoring page."""

    counts = CountsSerializer()
    snapshot = SnapshotSerializer(allow_null=True, help_text="null before the first one.")
    is_pending = serializers.BooleanField(help_text="Whether a newer snapshot is being computed.")


class StoppingRuleSerializer(serializers.Serializer):
    """The condition for ending a study early; omitted fields have their defaults."""

    kind = serializers.ChoiceField(
        choices=[INTERVAL_WIDTH, SETTLED_RANKING],
        required=False,
        default=INTERVAL_WIDTH,
        help_text="Stop when the intervals of all metrics are narrow enough, or when all pairs of metrics differ.",
    )
    measure = serializers.ChoiceField(
        choices=["", *PAIR_MEASURES], required=False, default="", allow_blank=True, help_text="Empty: the protocol's."
    )
    metrics = serializers.ListField(
        child=serializers.RegexField(r"^[^\s,]+$", max_length=100),
        required=False,
        default=list,
        max_length=200,
        help_text="Ids of the metrics used; empty for all with scores.",
    )
    width = serializers.FloatField(
        required=False, default=0.1, max_value=MOST_WIDTH, help_text="Maximum width of an interval; above 0."
    )
    looks = serializers.IntegerField(required=False, default=4, min_value=1, max_value=MOST_LOOKS)
    spending = serializers.ChoiceField(choices=sorted(SPENDINGS), required=False, default="obrien-fleming")
    alpha = serializers.FloatField(
        required=False,
        default=0.05,
        max_value=1,
        help_text="Two-sided significance level of the study; between 0 and 1.",
    )
    max_judgments = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=10_000_000, help_text="0: the number planned by the design."
    )
    closes_study = serializers.BooleanField(required=False, default=False)

    def to_representation(self, rule: StoppingRule) -> dict[str, Any]:
        return {**asdict(rule), "metrics": list(rule.metric_ids)}

    def read(self) -> dict[str, Any]:
        """Return the rule in the form of the design."""
        return {**self.validated_data, "metrics": ",".join(self.validated_data["metrics"])}


class LookSerializer(serializers.ModelSerializer):
    """A look that was taken, with its findings and its result, under the rule at that time."""

    rule = serializers.DictField(read_only=True)
    findings = serializers.ListField(child=serializers.DictField(), read_only=True)
    taken_by = serializers.CharField(source="taken_by.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = StoppingLook
        fields: ClassVar = [
            "number",
            "rule",
            "n_judgments",
            "fraction",
            "spent",
            "level",
            "findings",
            "says_stop",
            "reason",
            "taken_at",
            "taken_by",
        ]


class PlannedLookSerializer(serializers.Serializer):
    """A planned look: the number of judgments from which it is due, and its result if it was taken."""

    number = serializers.IntegerField()
    due_at = serializers.IntegerField()
    taken = LookSerializer(allow_null=True)


class StoppingSerializer(serializers.Serializer):
    """The state of a study under its rule."""

    rule = StoppingRuleSerializer()
    words = serializers.CharField(help_text="The rule in one sentence.")
    n_all = serializers.IntegerField(help_text="The planned number of judgments.")
    n_judgments = serializers.IntegerField(help_text="The current number of judgments.")
    looks = PlannedLookSerializer(many=True)
    next_look = serializers.IntegerField(
        source="next.number",
        allow_null=True,
        default=None,
        help_text="null after the last look, and once the rule has been met.",
    )
    is_due = serializers.BooleanField(help_text="Whether the next look can be taken now.")
    said_stop = serializers.IntegerField(
        source="said_stop.number", allow_null=True, default=None, help_text="The look at which the rule was met."
    )

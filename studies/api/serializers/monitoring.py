"""Serializers of the monitoring page and of the stopping rule that is looked at there."""

from dataclasses import asdict
from typing import Any, ClassVar

from rest_framework import serializers

from correlation.planning.stopping import SPENDINGS
from correlation.protocols.recipe import PAIR_MEASURES
from studies.api.serializers.values import serializer_of
from studies.design.design import INTERVAL_WIDTH, MOST_LOOKS, MOST_WIDTH, SETTLED_RANKING, StoppingRule
from studies.models import StoppingLook
from studies.monitoring.live.counting import MonitoringCounts
from studies.monitoring.live.watching import Agreement, Growing, Money, Quality

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
    """What is counted at once, and when."""

    n_planned = serializers.IntegerField(help_text="Judgments that the design plans.")


class SnapshotSerializer(serializers.Serializer):
    """What takes longer, as it was at one moment; amounts are texts, so that no cent is rounded."""

    made_at = serializers.DateTimeField()
    n_judgments = serializers.IntegerField()
    agreement = serializer_of(Agreement, name="RaterAgreement")()
    growing = serializer_of(Growing, name="Growing")()
    money = serializer_of(Money, name="Money")()
    quality = serializer_of(Quality, name="Quality")()


class MonitoringSerializer(serializers.Serializer):
    """The monitoring page at this moment."""

    counts = CountsSerializer()
    snapshot = SnapshotSerializer(allow_null=True, help_text="null before the first.")
    is_on_its_way = serializers.BooleanField(help_text="Whether a newer snapshot is being made.")


class StoppingRuleSerializer(serializers.Serializer):
    """When a study may end before it is complete; what is left out has its default."""

    kind = serializers.ChoiceField(
        choices=[INTERVAL_WIDTH, SETTLED_RANKING],
        required=False,
        default=INTERVAL_WIDTH,
        help_text="Stop when every metric's interval is narrow, or when every two metrics differ.",
    )
    measure = serializers.ChoiceField(
        choices=["", *PAIR_MEASURES], required=False, default="", allow_blank=True, help_text="Empty: the protocol's."
    )
    metrics = serializers.ListField(
        child=serializers.RegexField(r"^[^\s,]+$", max_length=100),
        required=False,
        default=list,
        max_length=200,
        help_text="Ids that count; empty for all with scores.",
    )
    width = serializers.FloatField(
        required=False, default=0.1, max_value=MOST_WIDTH, help_text="Of an interval, end to end; above 0."
    )
    looks = serializers.IntegerField(required=False, default=4, min_value=1, max_value=MOST_LOOKS)
    spending = serializers.ChoiceField(choices=sorted(SPENDINGS), required=False, default="obrien-fleming")
    alpha = serializers.FloatField(
        required=False, default=0.05, max_value=1, help_text="Two-sided, of the whole study; between 0 and 1."
    )
    max_judgments = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=10_000_000, help_text="0: as many as the design plans."
    )
    closes_study = serializers.BooleanField(required=False, default=False)

    def to_representation(self, rule: StoppingRule) -> dict[str, Any]:
        return {**asdict(rule), "metrics": list(rule.metric_ids)}

    def read(self) -> dict[str, Any]:
        """Return the rule as the design keeps it."""
        return {**self.validated_data, "metrics": ",".join(self.validated_data["metrics"])}


class LookSerializer(serializers.ModelSerializer):
    """A look that was taken: what it saw and said. The rule is the one in force then."""

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
    """A look of the plan: from how many judgments on it is due, and what it said if it was taken."""

    number = serializers.IntegerField()
    due_at = serializers.IntegerField()
    taken = LookSerializer(allow_null=True)


class StoppingSerializer(serializers.Serializer):
    """Where a study stands under its rule."""

    rule = StoppingRuleSerializer()
    words = serializers.CharField(help_text="The rule in one sentence.")
    n_all = serializers.IntegerField(help_text="How many judgments are all.")
    n_judgments = serializers.IntegerField(help_text="How many there are.")
    looks = PlannedLookSerializer(many=True)
    next_look = serializers.IntegerField(
        source="next.number", allow_null=True, default=None, help_text="null after the last, and once one said stop."
    )
    is_due = serializers.BooleanField(help_text="Whether the next can be taken now.")
    said_stop = serializers.IntegerField(
        source="said_stop.number", allow_null=True, default=None, help_text="The look that said stop."
    )

"""Serializers of preregistrations and of plans for the size of a study."""

from typing import ClassVar

from rest_framework import serializers

from correlation.comparison.methods import TESTS
from correlation.comparison.multiple import CORRECTIONS
from correlation.defaults import ALPHA, CORRECTION
from studies.analysis.planning import QUESTIONS
from studies.api.serializers.strictness import object_of, refuse_unknown
from studies.api.serializers.values import serializer_of
from studies.design.preregistration.deviations import Deviation
from studies.forms.analysis.planning import ASSUMED
from studies.models import Preregistration

DeviationSerializer = serializer_of(Deviation, name="Deviation")


class PreregistrationSerializer(serializers.ModelSerializer):
    """A preregistration; its digest is the SHA-256 of the file at `file`."""

    sha256 = serializers.CharField(source="digest", read_only=True)
    frozen_by = serializers.CharField(source="frozen_by.username", read_only=True, allow_null=True, default=None)
    file = serializers.SerializerMethodField()

    class Meta:
        model = Preregistration
        fields: ClassVar = ["number", "sha256", "frozen_at", "frozen_by", "file"]

    def get_file(self, preregistration: Preregistration) -> str:
        return str(self.context["make_address"](preregistration.number))


class NewPreregistrationSerializer(serializers.Serializer):
    """The plan of the analysis: what is to be computed, and when the study ends."""

    protocol = serializers.CharField(max_length=500)
    coefficient = serializers.CharField(max_length=50, help_text="The primary coefficient, such as `kendall-c`.")
    metrics = serializers.ListField(child=serializers.CharField(max_length=100), allow_empty=False, max_length=200)
    test = serializers.ChoiceField(
        choices=sorted(TESTS),
        required=False,
        default="",
        allow_blank=True,
        help_text="By default perm-input, for protocols over systems perm-system.",
    )
    alpha = serializers.FloatField(required=False, default=ALPHA)
    correction = serializers.ChoiceField(choices=sorted(CORRECTIONS), required=False, default=CORRECTION)
    stopping_rule = serializers.CharField(max_length=2000, help_text="When data collection ends, in words.")


class PlanQuestionSerializer(serializers.Serializer):
    """A question, assumptions by name, a pilot to estimate the others from, and prices."""

    what = serializers.ChoiceField(choices=sorted(QUESTIONS))
    assumptions = object_of({name: {"type": "number", "description": label} for name, label in ASSUMED.items()})(
        child=serializers.FloatField(), required=False, default=dict
    )
    pilot = serializers.CharField(max_length=90, required=False, default="", allow_blank=True)
    first_name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    second_name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    raters = serializers.IntegerField(required=False, default=None, allow_null=True, min_value=1, max_value=1000)
    seconds = serializers.FloatField(required=False, default=None, allow_null=True, help_text="Of one judgment.")
    wage = serializers.FloatField(required=False, default=None, allow_null=True, help_text="Of an hour.")
    fee = serializers.FloatField(
        required=False, default=None, allow_null=True, help_text="The panel fee, as a fraction."
    )

    def validate_assumptions(self, given: dict[str, float]) -> dict[str, float]:
        refuse_unknown(given, known=tuple(ASSUMED))
        return given


class PlanSerializer(serializers.Serializer):
    """The required size of a study, with assumptions and cost."""

    what = serializers.CharField()
    assumptions = serializers.DictField(child=serializers.FloatField())
    plan = serializers.DictField()
    cost = serializers.DictField(allow_null=True)

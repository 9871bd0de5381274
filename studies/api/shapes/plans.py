"""Shapes of what is declared before the first judgment, and of how large a study must be."""

from typing import ClassVar

from rest_framework import serializers

from correlation.comparison.methods import TESTS
from correlation.comparison.multiple import CORRECTIONS
from studies.analysis.planning import QUESTIONS
from studies.api.shapes.given import object_of, refuse_unknown
from studies.api.shapes.values import shape_of
from studies.design.registering import Departure
from studies.forms.planning import ASSUMED
from studies.models import Registration

DepartureShape = shape_of(Departure, name="Departure")


class RegistrationShape(serializers.ModelSerializer):
    """A registration; its digest is the SHA-256 of the file at `file`, byte for byte."""

    sha256 = serializers.CharField(source="digest", read_only=True)
    frozen_by = serializers.CharField(source="frozen_by.username", read_only=True, allow_null=True, default=None)
    file = serializers.SerializerMethodField()

    class Meta:
        model = Registration
        fields: ClassVar = ["number", "sha256", "frozen_at", "frozen_by", "file"]

    def get_file(self, registration: Registration) -> str:
        return str(self.context["make_address"](registration.number))


class NewRegistrationShape(serializers.Serializer):
    """The plan of the analysis: what will be computed, and when the study ends."""

    protocol = serializers.CharField(max_length=500)
    coefficient = serializers.CharField(max_length=50, help_text="The one that decides, such as `kendall-c`.")
    metrics = serializers.ListField(child=serializers.CharField(max_length=100), allow_empty=False, max_length=200)
    test = serializers.ChoiceField(choices=sorted(TESTS))
    alpha = serializers.FloatField(required=False, default=0.05)
    correction = serializers.ChoiceField(choices=sorted(CORRECTIONS), required=False, default="holm")
    stopping_rule = serializers.CharField(max_length=2000, help_text="When the study ends, in words.")


class PlanQuestionShape(serializers.Serializer):
    """A question, what is assumed by name, a pilot to estimate the rest from, and prices."""

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
    fee = serializers.FloatField(required=False, default=None, allow_null=True, help_text="The panel's, as a share.")

    def validate_assumptions(self, given: dict[str, float]) -> dict[str, float]:
        refuse_unknown(given, known=tuple(ASSUMED))
        return given


class PlanShape(serializers.Serializer):
    """A study that is large enough, with what it assumes and costs."""

    what = serializers.CharField()
    assumptions = serializers.DictField(child=serializers.FloatField())
    plan = serializers.DictField()
    cost = serializers.DictField(allow_null=True)

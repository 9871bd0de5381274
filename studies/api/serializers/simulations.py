"""Serializers of simulations: options, progress and results."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from studies.api.serializers.values import serializer_of
from studies.enums import PanelKind, WorkState
from studies.forms.simulation import MOST_RATERS, SimulationForm
from studies.models import Simulation
from studies.simulation.report import SimulationReport

SimulationReportSerializer = serializer_of(SimulationReport, name="SimulationReport")
_FIELDS = SimulationForm.base_fields


class SimulationSerializer(serializers.ModelSerializer):
    """A simulation; `problem` says why it failed, `report` is set once it is done. Amounts are strings."""

    panel = serializers.ChoiceField(choices=PanelKind.choices, read_only=True)
    state = serializers.ChoiceField(choices=WorkState.choices, read_only=True)
    report = serializers.SerializerMethodField()
    trial = serializers.CharField(
        source="trial.name",
        read_only=True,
        allow_null=True,
        default=None,
        help_text="The study that was created from it.",
    )
    made_by = serializers.CharField(source="made_by.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Simulation
        fields: ClassVar = [
            "id",
            "panel",
            "n_raters",
            "seed",
            "state",
            "problem",
            "report",
            "trial",
            "made_by",
            "made_at",
            "finished_at",
        ]

    @extend_schema_field(SimulationReportSerializer(allow_null=True))
    def get_report(self, simulation: Simulation) -> dict[str, Any] | None:
        return simulation.report


class NewSimulationSerializer(serializers.Serializer):
    """The number of simulated raters, and their panel."""

    panel = serializers.ChoiceField(
        choices=PanelKind.choices, required=False, default=None, allow_null=True, help_text="null: the design's."
    )
    raters = serializers.IntegerField(
        required=False, default=_FIELDS["raters"].initial, min_value=1, max_value=MOST_RATERS
    )
    seed = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=2**31 - 1, help_text=_FIELDS["seed"].help_text
    )

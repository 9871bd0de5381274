"""Serializers of the published designs and named protocols to choose from."""

from typing import Any

from rest_framework import serializers

from correlation.protocols.named import Protocol
from studies.design.presets import Preset
from studies.design.protocols import explain_misfit
from studies.enums import TaskKind


class PresetSerializer(serializers.Serializer):
    """A published design to start from: question, instructions and scale; consent, raters and pay are to be added."""

    name = serializers.CharField(help_text="The value of `preset` in a design, and of `start` after `preset:`.")
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=TaskKind.choices)
    source = serializers.CharField(help_text="The paper and the part of it.")
    design = serializers.SerializerMethodField()

    def get_design(self, preset: Preset) -> dict[str, Any]:
        design: dict[str, Any] = preset.design.to_json()
        return design


class ProtocolChoiceSerializer(serializers.Serializer):
    """A named protocol, and the kinds of studies that it fits."""

    name = serializers.CharField(source="reference", help_text="With its version.")
    signature = serializers.CharField(help_text="All options in full.")
    kinds = serializers.SerializerMethodField()

    def get_kinds(self, protocol: Protocol) -> list[str]:
        return [kind.value for kind in TaskKind if not explain_misfit(protocol, kind=kind)]

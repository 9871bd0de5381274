"""Serializers of what there is to choose from when a study is made: published designs and named protocols."""

from typing import Any

from rest_framework import serializers

from correlation.protocols.named import Protocol
from studies.design.presets import Preset
from studies.design.protocols import explain_misfit
from studies.enums import TaskKind


class PresetSerializer(serializers.Serializer):
    """A published design to start from: question, instructions and scale; consent, raters and pay are one's own."""

    name = serializers.CharField(help_text="As a design takes it as `preset`, and `start` after `preset:`.")
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=TaskKind.choices)
    source = serializers.CharField(help_text="The paper, and what in it.")
    design = serializers.SerializerMethodField()

    def get_design(self, preset: Preset) -> dict[str, Any]:
        design: dict[str, Any] = preset.design.to_json()
        return design


class ProtocolChoiceSerializer(serializers.Serializer):
    """A named protocol, and the kinds of studies that it is for."""

    name = serializers.CharField(source="reference", help_text="With its version.")
    signature = serializers.CharField(help_text="Every choice written out.")
    kinds = serializers.SerializerMethodField()

    def get_kinds(self, protocol: Protocol) -> list[str]:
        return [kind.value for kind in TaskKind if not explain_misfit(protocol, kind=kind)]

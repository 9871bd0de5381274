"""The published designs and named protocols to choose from."""

from rest_framework.request import Request
from rest_framework.response import Response

from correlation.protocols.named import PROTOCOLS
from studies.api.serializers.choices import PresetSerializer, ProtocolChoiceSerializer
from studies.api.views.base import ApiView, describe
from studies.design.presets import PRESETS


class PresetList(ApiView):
    """The designs of published evaluations."""

    @describe(
        "List published designs\nValues for `start` of an upload, and for `preset` in the design of a draft.",
        answer=PresetSerializer(many=True),
        operation="presets_list",
    )
    def get(self, request: Request) -> Response:
        return Response(PresetSerializer(list(PRESETS.values()), many=True).data)


class ProtocolList(ApiView):
    """The named protocols."""

    @describe(
        "List named protocols\nEach with its options and the kinds of studies it applies to.",
        answer=ProtocolChoiceSerializer(many=True),
        operation="protocols_list",
    )
    def get(self, request: Request) -> Response:
        return Response(ProtocolChoiceSerializer(list(PROTOCOLS.values()), many=True).data)

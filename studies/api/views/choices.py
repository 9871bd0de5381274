"""What there is to choose from when a study is made or analysed."""

from rest_framework.request import Request
from rest_framework.response import Response

from correlation.protocols.named import PROTOCOLS
from studies.api.serializers.choices import PresetSerializer, ProtocolChoiceSerializer
from studies.api.views.base import ApiView, describe
from studies.design.presets import PRESETS


class PresetList(ApiView):
    """The designs of published evaluations."""

    @describe(
        "List published designs\nFor `start` of an upload, and for `preset` in the design of a draft.",
        answer=PresetSerializer(many=True),
        operation="presets_list",
    )
    def get(self, request: Request) -> Response:
        return Response(PresetSerializer(list(PRESETS.values()), many=True).data)


class ProtocolList(ApiView):
    """The named protocols."""

    @describe(
        "List named protocols\nEach with its choices, and with the kinds of studies that it is for.",
        answer=ProtocolChoiceSerializer(many=True),
        operation="protocols_list",
    )
    def get(self, request: Request) -> Response:
        return Response(ProtocolChoiceSerializer(list(PROTOCOLS.values()), many=True).data)

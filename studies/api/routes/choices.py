"""What there is to choose from when a study is made or analysed."""

from rest_framework.request import Request
from rest_framework.response import Response

from correlation.protocols.named import PROTOCOLS
from studies.api.routes.base import Route, describe
from studies.api.shapes.choices import PresetShape, ProtocolShape
from studies.design.presets import PRESETS


class PresetList(Route):
    """The designs of published evaluations."""

    @describe(
        "List published designs\nFor `start` of an upload, and for `preset` in the design of a draft.",
        answer=PresetShape(many=True),
        operation="presets_list",
    )
    def get(self, request: Request) -> Response:
        return Response(PresetShape(list(PRESETS.values()), many=True).data)


class ProtocolList(Route):
    """The named protocols."""

    @describe(
        "List named protocols\nEach with its choices, and with the kinds of studies that it is for.",
        answer=ProtocolShape(many=True),
        operation="protocols_list",
    )
    def get(self, request: Request) -> Response:
        return Response(ProtocolShape(list(PROTOCOLS.values()), many=True).data)

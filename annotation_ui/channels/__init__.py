"""Channels of raters, one file per panel: the parameters of its address, and the return to it."""

from types import MappingProxyType
from typing import Final

from annotation_ui.channels.amt import AmtChannel
from annotation_ui.channels.bare_link import LinkChannel
from annotation_ui.channels.base import Arrival, ArrivalRefused, Channel, PanelExit
from annotation_ui.channels.generic import GenericChannel
from annotation_ui.channels.in_house import InHouseChannel
from annotation_ui.channels.prolific import ProlificChannel
from studies.enums import PanelKind

CHANNELS: Final[MappingProxyType[str, type[Channel]]] = MappingProxyType(
    {
        PanelKind.LINK: LinkChannel,
        PanelKind.PROLIFIC: ProlificChannel,
        PanelKind.GENERIC: GenericChannel,
        PanelKind.IN_HOUSE: InHouseChannel,
        PanelKind.AMT: AmtChannel,
    }
)

__all__ = ["CHANNELS", "Arrival", "ArrivalRefused", "Channel", "PanelExit"]

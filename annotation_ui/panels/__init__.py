"""Where raters come from. One file a panel: what it sends in the address, and what a rater takes back to it."""

from types import MappingProxyType
from typing import Final

from annotation_ui.panels.amt import AmtDoor
from annotation_ui.panels.base import Arrival, ArrivalRefused, Departure, Door
from annotation_ui.panels.generic import GenericDoor
from annotation_ui.panels.in_house import InHouseDoor
from annotation_ui.panels.link import LinkDoor
from annotation_ui.panels.prolific import ProlificDoor
from studies.enums import PanelKind

DOORS: Final[MappingProxyType[str, type[Door]]] = MappingProxyType(
    {
        PanelKind.LINK: LinkDoor,
        PanelKind.PROLIFIC: ProlificDoor,
        PanelKind.GENERIC: GenericDoor,
        PanelKind.IN_HOUSE: InHouseDoor,
        PanelKind.AMT: AmtDoor,
    }
)

__all__ = ["DOORS", "Arrival", "ArrivalRefused", "Departure", "Door"]

"""Personal links: the token of an invitation says who comes."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext

from annotation_ui.panels.base import Arrival, ArrivalRefused, Door, read_id
from studies.domain.inviting import find_invited
from studies.enums import PanelKind

TOKEN: Final = "invitation"  # noqa: S105 - the name of a parameter


class InHouseDoor(Door):
    def read_arrival(self, query: Mapping[str, str]) -> Arrival | None:
        if TOKEN not in query:
            return None
        invited = find_invited(self.study, read_id(query, TOKEN))
        if invited is None:
            raise ArrivalRefused(
                gettext(
                    "This personal link is not known here, or is not valid any more. Please check that you have the "
                    "whole link, or ask the person who sent it to you."
                )
            )
        return Arrival(PanelKind.IN_HOUSE, invited.participant, session_id=invited.token)

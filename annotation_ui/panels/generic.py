"""Any panel that says in the address who comes and takes a code at the end (CloudResearch Connect, SONA, ...)."""

from collections.abc import Mapping

from annotation_ui.panels.base import Arrival, Door, read_id
from studies.domain.raters import Participant
from studies.enums import PanelKind


class GenericDoor(Door):
    def read_arrival(self, query: Mapping[str, str]) -> Arrival | None:
        if self.panel.id_parameter not in query:
            return None
        participant = read_id(query, self.panel.id_parameter)
        session = read_id(query, self.panel.session_parameter) if self.panel.session_parameter else participant
        return Arrival(PanelKind.GENERIC, Participant(PanelKind.GENERIC, participant), session_id=session)

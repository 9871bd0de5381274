"""The channel for panels that send parameters and accept a completion code (CloudResearch Connect, SONA, ...)."""

from collections.abc import Mapping

from annotation_ui.channels.base import Arrival, Channel, read_id, refuse_unsigned
from annotation_ui.channels.signing import WrongSignature, check_parameters
from studies.collection.arrival.raters import Participant
from studies.enums import PanelKind


class GenericChannel(Channel):
    def read_arrival(self, query: Mapping[str, str]) -> Arrival | None:
        if self.panel.id_parameter not in query:
            return None
        participant = read_id(query, self.panel.id_parameter)
        session = read_id(query, self.panel.session_parameter) if self.panel.session_parameter else participant
        if self.panel.is_signed:
            self._check_signature(query)
        return Arrival(
            PanelKind.GENERIC,
            Participant(PanelKind.GENERIC, participant),
            session_id=session,
            is_proven=self.panel.is_signed,
        )

    def _check_signature(self, query: Mapping[str, str]) -> None:
        panel = self.panel
        names = [name for name in (panel.id_parameter, panel.session_parameter) if name]
        signature = query.get(panel.signature_parameter, "")
        try:
            check_parameters(query, names, signature=signature, secret=panel.signing_secret)
        except WrongSignature as error:
            raise refuse_unsigned() from error

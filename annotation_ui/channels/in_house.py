"""The channel for personal links, whose secret token identifies the invited person."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qs, urlsplit

from django.utils.translation import gettext

from annotation_ui.channels.base import LONGEST, Arrival, ArrivalRefused, Channel, read_id
from studies.collection.arrival.invitations import find_invited
from studies.collection.arrival.raters import Participant
from studies.enums import PanelKind

TOKEN: Final = "invitation"  # noqa: S105 - the name of a parameter


class InHouseChannel(Channel):
    def read_arrival(self, query: Mapping[str, str]) -> Arrival | None:
        if TOKEN not in query:
            return None
        invited = find_invited(self.study, read_id(query, TOKEN))
        if invited is None:
            raise ArrivalRefused(
                gettext(
                    "This personal link is unknown or no longer valid. Please check that the link is complete, or ask "
                    "the person who sent it to you."
                )
            )
        return Arrival(PanelKind.IN_HOUSE, invited.participant, session_id=invited.token, is_proven=True)

    def read_proof(self, text: str) -> Participant | None:
        """Accept the personal link, or only the token at its end."""
        token = parse_qs(urlsplit(text.strip()).query).get(TOKEN, [text.strip()])[0]
        invited = find_invited(self.study, token[:LONGEST])
        return invited.participant if invited else None

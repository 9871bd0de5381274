"""The channel for Prolific, which sends three parameters and is returned to with a completion code for the outcome."""

import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.utils.translation import gettext

from annotation_ui.channels.base import Arrival, ArrivalRefused, Channel, PanelExit, read_id, refuse_unsigned
from annotation_ui.channels.signing import WrongSignature, check_token
from studies.collection.arrival.raters import Participant
from studies.design.completion_codes import find_completion_code
from studies.enums import PanelKind, RaterOutcome
from studies.models import Submission

logger = logging.getLogger(__name__)
PARTICIPANT, STUDY, SESSION = "PROLIFIC_PID", "STUDY_ID", "SESSION_ID"
TOKEN: Final = "prolific_token"  # noqa: S105 - the name of a parameter
COMPLETE_AT: Final = "https://app.prolific.com/submissions/complete"
_ID: Final = re.compile("[0-9a-f]{24}")


class ProlificChannel(Channel):
    def read_arrival(self, query: Mapping[str, str]) -> Arrival | None:
        if not {PARTICIPANT, STUDY, SESSION} & set(query):
            return None
        participant, study, session = (read_id(query, name) for name in (PARTICIPANT, STUDY, SESSION))
        # Researchers who try the address themselves may send the unfilled placeholders.
        if not all(_ID.fullmatch(value) for value in (participant, study)):
            raise ArrivalRefused(
                gettext(
                    "The address of this page does not contain the ids that Prolific sends (24 digits and letters a "
                    "to f). Please open the study again from Prolific."
                )
            )
        if self.panel.is_signed:
            self._check_token(query, {PARTICIPANT: participant, STUDY: study, SESSION: session})
        return Arrival(
            PanelKind.PROLIFIC,
            Participant(PanelKind.PROLIFIC, participant),
            session_id=session,
            parameters={STUDY: study},
            is_proven=self.panel.is_signed,
        )

    def _check_token(self, query: Mapping[str, str], parameters: Mapping[str, str]) -> None:
        keys = Path(settings.ACCORDANCE_PROLIFIC_KEYS)
        try:
            check_token(query.get(TOKEN, ""), parameters=parameters, keys=keys)
        except WrongSignature as error:
            logger.warning("refused a token of Prolific: %s", error)
            raise refuse_unsigned() from error

    def make_exit(self, outcome: RaterOutcome, submission: Submission | None) -> PanelExit:
        # A submission is completed only by the return link; without a code Prolific asks the rater to return it.
        code = find_completion_code(self.panel, outcome)
        return PanelExit(code=code, url=f"{COMPLETE_AT}?{urlencode({'cc': code})}" if code else "")

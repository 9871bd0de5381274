"""The channel for external questions of panels like Mechanical Turk, such as Turkle.

The page is shown in a frame of the panel with four parameters added to its address. Before a worker has accepted the
assignment it is a preview, which stores nothing. At the end the assignment is submitted with a form.
"""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext

from annotation_ui.channels.base import Arrival, ArrivalRefused, Channel, PanelExit, read_id
from studies.collection.arrival.raters import Participant
from studies.design.completion_codes import find_completion_code
from studies.enums import PanelKind, RaterOutcome
from studies.models import Submission

ASSIGNMENT, HIT, WORKER, SUBMIT_TO = "assignmentId", "hitId", "workerId", "turkSubmitTo"
NOT_AVAILABLE: Final = "ASSIGNMENT_ID_NOT_AVAILABLE"
SUBMIT_PATH: Final = "/mturk/externalSubmit"


class AmtChannel(Channel):
    is_framed = True

    def read_arrival(self, query: Mapping[str, str]) -> Arrival | None:
        if ASSIGNMENT not in query or self.is_preview(query):
            return None
        return Arrival(
            PanelKind.AMT,
            Participant(PanelKind.AMT, read_id(query, WORKER)),
            session_id=read_id(query, ASSIGNMENT),
            parameters={HIT: read_id(query, HIT), SUBMIT_TO: _read_host(query)},
        )

    def is_preview(self, query: Mapping[str, str]) -> bool:
        return query.get(ASSIGNMENT) == NOT_AVAILABLE

    def make_exit(self, outcome: RaterOutcome, submission: Submission | None) -> PanelExit:
        code = find_completion_code(self.panel, outcome)
        if outcome == RaterOutcome.NO_TASKS:
            # Submitted assignments are paid, so raters without answers return the assignment at the panel instead.
            return PanelExit()
        if submission is None or outcome == RaterOutcome.DECLINED:
            return PanelExit(code=code)
        # The panel defines four names of fields; others may be added.
        fields = {ASSIGNMENT: submission.session_id, "outcome": str(outcome), "code": code}
        return PanelExit(code=code, post_to=submission.parameters[SUBMIT_TO] + SUBMIT_PATH, fields=fields)


def _read_host(query: Mapping[str, str]) -> str:
    """Return the origin that receives the assignment, which must be one of those in the settings.

    Otherwise a forged address could send the submission elsewhere.
    """
    parts = urlsplit(read_id(query, SUBMIT_TO))
    origin = f"{parts.scheme}://{parts.netloc}"
    if origin not in settings.ACCORDANCE_AMT_ORIGINS:
        raise ArrivalRefused(
            gettext(
                "The address of this page names a panel that this site does not know. Please open the study again "
                "from the panel."
            )
        )
    return origin

"""The base class of channels, which read a visit from an address and return the rater to the panel."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from django.utils.translation import gettext

from studies.collection.arrival.arrivals import Arrival
from studies.collection.arrival.raters import Participant
from studies.design.completion_codes import find_completion_code
from studies.design.study_design import Panel
from studies.enums import RaterOutcome
from studies.models import Study, Submission

LONGEST: Final = 200
"""The maximum length of an id; those of panels are much shorter."""


class ArrivalRefused(Exception):
    """The parameters of the address are missing or invalid; the message tells the rater what to do."""


def refuse_unsigned() -> ArrivalRefused:
    """Return the refusal of an address whose signature by the panel is missing, invalid or expired."""
    return ArrivalRefused(
        gettext(
            "The address of this page was not signed by the panel, or it has expired. Please open the study again "
            "from the panel."
        )
    )


@dataclass(frozen=True, slots=True)
class PanelExit:
    """The return of a rater to the panel.

    Attributes:
        code: The completion code to show; empty if there is none.
        url: The address of a link that completes the submission; empty if there is none.
        post_to: The address to which a form is submitted instead; empty if there is none.
        fields: The fields of this form.
    """

    code: str = ""
    url: str = ""
    post_to: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


class Channel(ABC):
    """The arrival from a panel and the return to it.

    Class attributes:
        needs_arrival: Whether raters can join only with parameters of the panel.
        is_framed: Whether pages are shown in a frame of the panel.
    """

    needs_arrival: ClassVar[bool] = True
    is_framed: ClassVar[bool] = False

    def __init__(self, panel: Panel, *, study: Study) -> None:
        self.panel = panel
        self.study = study

    @abstractmethod
    def read_arrival(self, query: Mapping[str, str]) -> Arrival | None:
        """Return the arrival with the parameters of the address; None if there are none.

        Raises:
            ArrivalRefused: The parameters are invalid.
        """

    def read_proof(self, text: str) -> Participant | None:
        """Return the participant named in a rater's confirmation of an irreversible action; None if it names none."""
        return Participant(self.panel.kind, text.strip()) if text.strip() else None

    def is_preview(self, query: Mapping[str, str]) -> bool:
        """Whether this is a preview by somebody who has not accepted the assignment."""
        return False

    def make_exit(self, outcome: RaterOutcome, submission: Submission | None) -> PanelExit:
        """Return the way back for a rater with this outcome; `submission` is None for people who did not consent."""
        code = find_completion_code(self.panel, outcome)
        url = self.panel.return_url.replace("{code}", code) if code else ""
        return PanelExit(code=code, url=url)


def read_id(query: Mapping[str, str], name: str) -> str:
    """Return a parameter that must be an id: printable, without white space, not too long.

    Raises:
        ArrivalRefused: It is missing or invalid.
    """
    value = query.get(name, "").strip()
    if not value or len(value) > LONGEST or not value.isprintable() or any(letter.isspace() for letter in value):
        refusal = gettext(
            "The address of this page lacks “%(name)s”, which identifies you. Please open the study again from the "
            "panel."
        )
        raise ArrivalRefused(refusal % {"name": name})
    return value

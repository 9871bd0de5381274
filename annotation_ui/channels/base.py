"""What every panel is made of: how a visit is read from an address, and how it goes back."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from django.utils.translation import gettext

from studies.collection.arrival.arriving import Arrival
from studies.collection.arrival.raters import Participant
from studies.design.design import Panel
from studies.enums import RaterOutcome
from studies.models import Study, Submission

LONGEST: Final = 200
"""Characters of an id; what panels send is far shorter."""


class ArrivalRefused(Exception):
    """The address does not say who comes, or says it wrongly; the message tells the rater what to do."""


def refuse_unsigned() -> ArrivalRefused:
    """Return the refusal of an address that should be signed by the panel, and is not, or is too old."""
    return ArrivalRefused(
        gettext(
            "The address of this page is not one that the panel has signed, or it is too old. Please open the study "
            "again from the panel's own page."
        )
    )


@dataclass(frozen=True, slots=True)
class PanelExit:
    """How a rater goes back to the panel.

    Attributes:
        code: The completion code to show; empty if there is none.
        url: Where a link leads that completes the submission; empty if there is none.
        post_to: Where a form is sent instead, as a real form post; empty if there is none.
        fields: What that form holds.
    """

    code: str = ""
    url: str = ""
    post_to: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


class Channel(ABC):
    """One panel's way in and out.

    Class attributes:
        needs_arrival: Whether nobody may join who does not come through it.
        is_framed: Whether its pages are shown in a frame of the panel's.
    """

    needs_arrival: ClassVar[bool] = True
    is_framed: ClassVar[bool] = False

    def __init__(self, panel: Panel, *, study: Study) -> None:
        self.panel = panel
        self.study = study

    @abstractmethod
    def read_arrival(self, query: Mapping[str, str]) -> Arrival | None:
        """Return who comes, from the parameters of the address; None if they say nothing of it.

        Raises:
            ArrivalRefused: They say it wrongly.
        """

    def read_proof(self, text: str) -> Participant | None:
        """Return whom a rater says to be who is asked once more, before what cannot be undone; None if nobody."""
        return Participant(self.panel.kind, text.strip()) if text.strip() else None

    def is_preview(self, query: Mapping[str, str]) -> bool:
        """Whether the panel only shows the study to somebody who has not taken it."""
        return False

    def make_exit(self, outcome: RaterOutcome, submission: Submission | None) -> PanelExit:
        """Return how a rater with this outcome goes back; `submission` is None for who never agreed to take part."""
        code = self.panel.find_code(outcome)
        url = self.panel.return_url.replace("{code}", code) if code else ""
        return PanelExit(code=code, url=url)


def read_id(query: Mapping[str, str], name: str) -> str:
    """Return a parameter that must hold an id: printable, without white space, not too long.

    Raises:
        ArrivalRefused: It is something else.
    """
    value = query.get(name, "").strip()
    if not value or len(value) > LONGEST or not value.isprintable() or any(letter.isspace() for letter in value):
        refusal = gettext(
            "The address of this page should say in “%(name)s” who you are, and does not. Please open the study again "
            "from the panel's own page."
        )
        raise ArrivalRefused(refusal % {"name": name})
    return value

"""Simulated panels, which send people with parameters in the address and record how they return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from studies.design.study_design import Panel
from studies.enums import PanelKind
from studies.simulation.browser import Form, Page

SUBMIT_PATH: Final = "/mturk/externalSubmit"
"""The path where a panel like Mechanical Turk receives submitted assignments."""
_ASSIGNMENT: Final = "assignmentId"
_NOT_AVAILABLE: Final = "ASSIGNMENT_ID_NOT_AVAILABLE"
_COMPLETE_AT: Final = "https://app.prolific.com/submissions/complete"
_STUDY_ID: Final = "5f" * 12


@dataclass(slots=True)
class PlayedPanel:
    """One panel of a simulation.

    Attributes:
        panel: The panel of the design.
        invitations: The token of each person, for personal links.
        host: For a panel that takes form posts: the host that receives assignments, one of those in the settings.
        received: The submitted fields, by assignment.
    """

    panel: Panel
    invitations: tuple[str, ...] = ()
    host: str = ""
    received: dict[str, dict[str, str]] = field(default_factory=dict)

    def make_query(self, number: int) -> str:
        """Return the query that the panel adds to the study link for the person with this number."""
        person = f"{number:024x}"
        parameters: Mapping[str, str] = {
            PanelKind.LINK: {},
            PanelKind.PROLIFIC: {"PROLIFIC_PID": person, "STUDY_ID": _STUDY_ID, "SESSION_ID": f"{number + 2**64:024x}"},
            PanelKind.GENERIC: {self.panel.id_parameter: person, (self.panel.session_parameter or "session"): person},
            PanelKind.IN_HOUSE: {"invitation": self.invitations[number]} if self.invitations else {},
            PanelKind.AMT: {
                _ASSIGNMENT: f"A{person}",
                "hitId": "H1",
                "workerId": f"W{person}",
                "turkSubmitTo": self.host,
                "window": "1",
            },
        }[PanelKind(self.panel.kind)]
        return f"?{urlencode(parameters)}" if parameters else ""

    def make_preview_query(self) -> str:
        """Return the query that the panel adds for previews; empty if it has none."""
        if self.panel.kind != PanelKind.AMT:
            return ""
        return f"?{urlencode({_ASSIGNMENT: _NOT_AVAILABLE, 'hitId': 'H1'})}"

    def find_code(self, page: Page, number: int) -> str:
        """Return the completion code with which a person returns from a page; empty if there is none."""
        kind = PanelKind(self.panel.kind)
        if kind == PanelKind.AMT:
            return self.received.get(f"A{number:024x}", {}).get("code", "")
        if kind == PanelKind.PROLIFIC:
            link = next((link for link in page.links.values() if link.startswith(_COMPLETE_AT)), "")
            return parse_qs(urlsplit(link).query).get("cc", [""])[0]
        template = self.panel.return_url
        ways = {template.replace("{code}", code): code for code in self.panel.codes.values()} if template else {}
        return next((ways[link] for link in page.links.values() if link in ways), page.code)

    def receive(self, form: Form) -> None:
        """Receive a submitted assignment."""
        if form.action == f"{self.host}{SUBMIT_PATH}" and _ASSIGNMENT in form.hidden:
            self.received[form.hidden[_ASSIGNMENT]] = form.hidden

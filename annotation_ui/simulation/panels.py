"""The other side of each panel, played: it sends people with its parameters, and keeps book of how they come back."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

from annotation_ui.channels.amt import ASSIGNMENT, HIT, NOT_AVAILABLE, SUBMIT_PATH, SUBMIT_TO, WORKER
from annotation_ui.channels.in_house import TOKEN
from annotation_ui.channels.prolific import COMPLETE_AT, PARTICIPANT, SESSION, STUDY
from annotation_ui.simulation.browsing import Page
from studies.design.design import Panel
from studies.enums import PanelKind

_STUDY_ID: Final = "5f" * 12


@dataclass(slots=True)
class PlayedPanel:
    """One panel of a simulation.

    Attributes:
        panel: The design's.
        invitations: Of personal links: token of each person.
        host: Where assignments are handed in, of a panel that takes form posts.
        received: What has been handed in there, by assignment.
    """

    panel: Panel
    invitations: tuple[str, ...] = ()
    host: str = ""
    received: dict[str, dict[str, str]] = field(default_factory=dict)

    def make_query(self, number: int) -> str:
        """Return what the panel adds to the study link for its person with this number."""
        person = f"{number:024x}"
        parameters: Mapping[str, str] = {
            PanelKind.LINK: {},
            PanelKind.PROLIFIC: {PARTICIPANT: person, STUDY: _STUDY_ID, SESSION: f"{number + 2**64:024x}"},
            PanelKind.GENERIC: {self.panel.id_parameter: person, (self.panel.session_parameter or "session"): person},
            PanelKind.IN_HOUSE: {TOKEN: self.invitations[number]} if self.invitations else {},
            PanelKind.AMT: {
                ASSIGNMENT: f"A{person}",
                HIT: "H1",
                WORKER: f"W{person}",
                SUBMIT_TO: self.host,
                "window": "1",
            },
        }[PanelKind(self.panel.kind)]
        return f"?{urlencode(parameters)}" if parameters else ""

    def make_preview_query(self) -> str:
        """Return what the panel adds for somebody who only looks; empty if it knows no such thing."""
        if self.panel.kind != PanelKind.AMT:
            return ""
        return f"?{urlencode({ASSIGNMENT: NOT_AVAILABLE, HIT: 'H1'})}"

    def find_code(self, page: Page, number: int) -> str:
        """Return the completion code with which a person comes back from a page; empty if none comes."""
        kind = PanelKind(self.panel.kind)
        if kind == PanelKind.AMT:
            return self.received.get(f"A{number:024x}", {}).get("code", "")
        if kind == PanelKind.PROLIFIC:
            link = next((link for link in page.links.values() if link.startswith(COMPLETE_AT)), "")
            return parse_qs(urlsplit(link).query).get("cc", [""])[0]
        template = self.panel.return_url
        ways = {template.replace("{code}", code): code for code in self.panel.codes.values()} if template else {}
        return next((ways[link] for link in page.links.values() if link in ways), page.code)


def receive_assignments(played: PlayedPanel) -> ThreadingHTTPServer:
    """Start the part of a panel that takes assignments back; return its server, to be shut down."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            fields = {name: values[0] for name, values in parse_qs(body, keep_blank_values=True).items()}
            is_right = self.path == SUBMIT_PATH and ASSIGNMENT in fields
            if is_right:
                played.received[fields[ASSIGNMENT]] = fields
            self.send_response(200 if is_right else 400)
            self.end_headers()
            self.wfile.write(b"<h1>Received</h1>")

        def log_message(self, *args: object) -> None:
            """Say nothing: the simulation reports."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    played.host = urljoin(f"http://127.0.0.1:{server.server_address[1]}", "").rstrip("/")
    return server

"""The external question of a HIT, with which Mechanical Turk shows a study in a frame."""

from typing import Final
from xml.sax.saxutils import escape

from annotation_ui.channels.study_links import make_study_link
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind
from studies.models import Study
from studies.shared.errors import Refusal

_SCHEMA: Final = (
    "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"  # a name
)


class NoQuestion(Refusal):
    """There is no external question for this study; the message says why."""


def write_question(study: Study, *, base_url: str, frame_height: int = 0) -> tuple[str, str]:
    """Return the study link and the XML of the question.

    Args:
        study: A study whose panel is `amt`.
        base_url: The address of the server, with https.
        frame_height: In pixels; 0 fits the window.

    Raises:
        NoQuestion: The panel is another one.
        ValueError: `base_url` is not the address of a server.
    """
    kind = StudyDesign.from_json(load_newest_version(study).design).panel.kind
    if kind != PanelKind.AMT:
        raise NoQuestion(f"study {study.name}: its design names the panel {kind}, not amt")
    link = make_study_link(study, base_url=base_url)
    inner = f"  <ExternalURL>{escape(link)}</ExternalURL>\n  <FrameHeight>{frame_height}</FrameHeight>"
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<ExternalQuestion xmlns="{_SCHEMA}">\n{inner}\n</ExternalQuestion>\n'
    )
    return link, text

"""Write the external question of a HIT, which shows a study in a frame of the panel."""

from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation_ui.channels.study_links import make_study_link
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind
from studies.management.printing.results import find_study

_SCHEMA: Final = (
    "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"  # a name
)


class Command(BaseCommand):
    help = "Write an ExternalQuestion with the study link, for a HIT of Mechanical Turk's model."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--base-url", required=True, metavar="URL", help="the server's address, with https")
        parser.add_argument("--frame-height", type=int, default=0, help="in pixels; 0 fits the window (default)")
        parser.add_argument("--out", type=Path, required=True, metavar="FILE")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        kind = StudyDesign.from_json(load_newest_version(study).design).panel.kind
        if kind != PanelKind.AMT:
            raise CommandError(f"study {study.name}: its design names the panel {kind}, not amt")
        if not chosen["base_url"].startswith("https://") or chosen["frame_height"] < 0:
            raise CommandError("--base-url must begin with https://, and --frame-height be 0 or more")
        try:
            link = make_study_link(study, base_url=chosen["base_url"])
            chosen["out"].write_text(_write(link, chosen["frame_height"]), encoding="utf-8")
        except (ValueError, OSError) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{study.name}: {link} in {chosen['out']}")


def _write(link: str, height: int) -> str:
    inner = f"  <ExternalURL>{escape(link)}</ExternalURL>\n  <FrameHeight>{height}</FrameHeight>"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<ExternalQuestion xmlns="{_SCHEMA}">\n{inner}\n</ExternalQuestion>\n'
    )

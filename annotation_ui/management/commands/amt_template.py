"""Write the external question of a HIT, which shows a study in a frame of the panel."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation_ui.channels.external_question import write_question
from studies.management.printing.results import find_study
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Write an ExternalQuestion with the study link, for a HIT of Mechanical Turk's model."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--base-url", required=True, metavar="URL", help="the server's address, with https")
        parser.add_argument("--frame-height", type=int, default=0, help="in pixels; 0 fits the window (default)")
        parser.add_argument("--out", type=Path, required=True, metavar="FILE")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        if not chosen["base_url"].startswith("https://") or chosen["frame_height"] < 0:
            raise CommandError("--base-url must begin with https://, and --frame-height be 0 or more")
        try:
            link, text = write_question(study, base_url=chosen["base_url"], frame_height=chosen["frame_height"])
            chosen["out"].write_text(text, encoding="utf-8")
        except (ValueError, OSError) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{study.name}: {link} in {chosen['out']}")

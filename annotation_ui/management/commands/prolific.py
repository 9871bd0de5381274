"""Print the settings of a study for Prolific."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation_ui.channels.prolific_form import make_sheet, print_sheet
from annotation_ui.channels.study_links import DEFAULT_BASE_URL
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind
from studies.management.printing.results import find_study
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Print what to paste into Prolific: study URL, completion codes with their actions, time, reward, reminders."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--base-url", default=DEFAULT_BASE_URL, metavar="URL", help="default: %(default)s")
        add_json_argument(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        kind = StudyDesign.from_json(load_newest_version(study).design).panel.kind
        if kind != PanelKind.PROLIFIC:
            raise CommandError(f"study {study.name}: its design names the panel {kind}, not prolific")
        try:
            sheet = make_sheet(study, base_url=chosen["base_url"])
        except ValueError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(print_values(sheet) if chosen["json"] else print_sheet(sheet))

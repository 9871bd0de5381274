"""Print the link with which a rater can continue in another browser."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotation_ui.channels.study_links import DEFAULT_BASE_URL
from annotation_ui.recruiting.links import make_link_to_resume
from studies.management.printing.results import find_study
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Print the link for continuing in another browser; anyone who has it can answer for the participant."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("participant", metavar="ID", help="id on the panel, or as invited")
        parser.add_argument("--base-url", default=DEFAULT_BASE_URL, metavar="URL", help="default: %(default)s")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        try:
            link = make_link_to_resume(study, chosen["participant"], base_url=chosen["base_url"], now=timezone.now())
        except ValueError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(link)

"""Write a personal link for each person on a list."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from annotation_ui.channels.study_links import DEFAULT_BASE_URL
from annotation_ui.recruiting.links import make_personal_links
from correlation.csv_lines import write_csv
from execution.whole_files import PRIVATE, write_whole
from studies.collection.arrival.people import read_people
from studies.management.printing.results import find_study
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Write a personal link for each person in a list; people invited before keep their link."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--people", type=Path, required=True, metavar="FILE", help="CSV: column person, or first")
        parser.add_argument(
            "--out",
            type=Path,
            required=True,
            metavar="FILE",
            help="writes person,link; the file is readable only by you",
        )
        parser.add_argument("--base-url", default=DEFAULT_BASE_URL, metavar="URL", help="default: %(default)s")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        given = {"base_url": chosen["base_url"], "now": timezone.now()}
        try:
            people = read_people(chosen["people"])
            # If the file cannot be written, nobody is invited.
            with transaction.atomic():
                links = make_personal_links(study, people, **given)
                write_whole(chosen["out"], "".join(write_csv(("person", "link"), links)).encode(), mode=PRIVATE)
        except (ValueError, OSError) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{study.name}: {len(links)} personal links in {chosen['out']}")

"""Export tasks as a batch for Turkle or Mechanical Turk, and import its results."""

from pathlib import Path
from secrets import SystemRandom
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from annotation_ui.recruiting.batches import make_batch, take_results
from studies.management.printing.results import find_study
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Write the tasks as a batch (NAME.csv and NAME.html), or import the results of a batch."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument("--out", type=Path, metavar="FOLDER", help="write the batch to this path")
        way.add_argument("--results", type=Path, metavar="FILE", help="CSV of results to import")
        parser.add_argument("--images-url", default="", metavar="URL", help="base URL of the images, by key")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        try:
            if chosen["out"]:
                csv, page = (chosen["out"] / f"{study.name}.{ending}" for ending in ("csv", "html"))
                # A batch that cannot be written has not begun.
                with transaction.atomic():
                    files = make_batch(study, images_url=chosen["images_url"], now=timezone.now())
                    csv.write_text(files.table, encoding="utf-8", newline="")
                    page.write_text(files.page, encoding="utf-8")
                self.stdout.write(f"{study.name}: {files.n_tasks} tasks in {csv}, their page in {page}")
                return
            done = take_results(study, chosen["results"], now=timezone.now(), rng=SystemRandom())
        except OSError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"{study.name}: {done.n_new} assignments by {done.n_raters} raters imported, {done.n_known} already known"
        )

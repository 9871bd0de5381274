"""Import scores of metrics that were computed elsewhere."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from studies.datasets.score_files import import_score_file
from studies.management.printing.results import find_study, split_names
from studies.shared.errors import ImportFailed


class Command(BaseCommand):
    help = "Import scores of metrics that were computed elsewhere; they join every analysis as external:NAME."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("file", type=Path, metavar="FILE", help="a .csv, .jsonl or .parquet")
        parser.add_argument("--metrics", default="", metavar="A,B", help="columns to read (default: all but the keys)")
        parser.add_argument("--lower-is-better", default="", metavar="A,B", help="columns in which less is better")
        parser.add_argument("--higher-is-better", default="", metavar="A,B", help="columns in which more is better")

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            found = import_score_file(
                find_study(chosen["study"]),
                chosen["file"],
                metrics=split_names(chosen["metrics"]),
                lower_is_better=split_names(chosen["lower_is_better"]),
                higher_is_better=split_names(chosen["higher_is_better"]),
                now=timezone.now(),
            )
        except ImportFailed as error:
            raise CommandError(str(error)) from error
        for each in found:
            self.stdout.write(str(each))

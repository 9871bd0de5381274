"""Import scores of metrics that were computed elsewhere."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from studies.datasets.score_files import import_score_file
from studies.management.confirming import add_confirmation_arguments, read_confirmation
from studies.management.printing.results import find_study, split_names
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Import scores of metrics that were computed elsewhere; they join every analysis as external:NAME."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("file", type=Path, metavar="FILE", help="a .csv, .jsonl or .parquet")
        parser.add_argument("--metrics", default="", metavar="A,B", help="columns to read (default: all but the keys)")
        parser.add_argument("--lower-is-better", default="", metavar="A,B", help="columns where lower is better")
        parser.add_argument("--higher-is-better", default="", metavar="A,B", help="columns where higher is better")
        add_json_argument(parser)
        add_confirmation_arguments(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        found = import_score_file(
            find_study(chosen["study"]),
            chosen["file"],
            metrics=split_names(chosen["metrics"]),
            lower_is_better=split_names(chosen["lower_is_better"]),
            higher_is_better=split_names(chosen["higher_is_better"]),
            now=timezone.now(),
            confirmation=read_confirmation(chosen),
        )
        if chosen["json"]:
            counts = [{"metric": each.run.metric, "rows": each.run.n_rows, "missing": each.n_missing} for each in found]
            self.stdout.write(print_values({"metrics": counts}))
        else:
            self.stdout.writelines(f"{each}\n" for each in found)

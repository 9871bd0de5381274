"""Print how well metrics agree with the judgments of a study."""

import json
from typing import Any

from django.core.management.base import CommandParser

from studies.analysis.reports import check_path, correlate_observations, write_report
from studies.management.printing.correlation import list_notes, print_found
from studies.management.printing.results import add_protocol_arguments, find_study, gather_chosen
from studies.management.refusals import ReadingCommand
from studies.management.resampling import add_report_arguments, read_inference, watch_steps


class Command(ReadingCommand):
    help = "Print the agreement of metrics with the judgments of a study, under a protocol."

    def add_arguments(self, parser: CommandParser) -> None:
        add_protocol_arguments(parser)
        add_report_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON list of rows")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        with watch_steps() as watch:
            check_path(chosen["out"])
            gathered = gather_chosen(study, chosen)
            inference = read_inference(chosen, gathered)
            found = correlate_observations(
                gathered,
                interval=inference.interval,
                # Without a report the table is of single metrics; `compare` is the command for differences.
                comparison=inference.comparison if chosen["test"] or chosen["out"] else None,
                with_ceilings=bool(chosen["out"]),
                seed=chosen["seed"],
                watch=watch,
                processes=chosen["processes"],
            )
            write_report(found, chosen["out"])
        for line in list_notes(gathered, found, asked=study, chosen=chosen):
            self.stderr.write(line)
        self.stdout.write(json.dumps(found.list_records(), indent=1) if chosen["json"] else print_found(found))

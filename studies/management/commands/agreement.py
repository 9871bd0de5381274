"""Print the agreement of a study's raters."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from metrics_plugins.cli.progress import show_progress
from studies.analysis.agreement import measure_study
from studies.management.printing.agreement import print_agreement
from studies.management.printing.results import add_study_arguments, find_study
from studies.management.refusals import ReadingCommand
from studies.management.resampling import add_resampling_arguments


class Command(ReadingCommand):
    help = "Print the inter-rater agreement of a study, and the human ceiling in the coefficient of its protocol."

    def add_arguments(self, parser: CommandParser) -> None:
        add_study_arguments(parser)
        add_resampling_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        found = measure_study(
            study,
            protocol=chosen["protocol"],
            protocol_options=chosen["option"],
            resamples=chosen["resamples"],
            seed=chosen["seed"],
            track=show_progress,
        )
        self.stdout.write(json.dumps(asdict(found), indent=1) if chosen["json"] else print_agreement(found))

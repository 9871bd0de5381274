"""Print how well metrics agree with the judgments of a study."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from studies.domain.analysis import evaluate_observations, gather_observations
from studies.management.printing import add_protocol_arguments, find_study, print_results, split_names
from studies.management.refusals import say_refusals
from studies.management.resampling import add_interval_arguments, read_interval, show_progress


class Command(BaseCommand):
    help = "Print how well metrics agree with the judgments of a study, under a protocol."

    def add_arguments(self, parser: CommandParser) -> None:
        add_protocol_arguments(parser)
        add_interval_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON list of rows")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        with say_refusals():
            interval = read_interval(chosen)
            gathered = gather_observations(
                study,
                protocol=chosen["protocol"],
                protocol_options=chosen["option"],
                metrics=split_names(chosen["metrics"]) or None,
            )
            rows = evaluate_observations(gathered, interval=interval, seed=chosen["seed"], track=show_progress)
        if gathered.study != study:
            self.stderr.write(f"note: {gathered.protocol.reference} takes the judgments of {gathered.study.name}")
        if gathered.unscored:
            self.stderr.write(f"note: without scores: {', '.join(gathered.unscored)}; manage.py score {study.name}")
        self.stdout.write(
            json.dumps([asdict(row) for row in rows], indent=1) if chosen["json"] else print_results(rows)
        )

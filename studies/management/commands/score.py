"""Score the dataset of a study with metrics."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from metrics_plugins.api.errors import UnknownMetric
from studies.access.audit import COMMAND_LINE
from studies.management.confirming import add_confirmation_arguments, read_confirmation
from studies.management.printing.results import add_protocol_arguments, find_study, print_report, split_names
from studies.management.printing.values import add_json_argument, print_values
from studies.management.progress_bar import ProgressBar
from studies.management.refusals import RefusingCommand
from studies.management.scoring_options import read_scoring_options
from studies.scoring.plugins.catalog import get_folder
from studies.scoring.study_scoring import ScoringOptions, score_study
from studies.shared.reports import request_default_report


class Command(RefusingCommand):
    help = "Score the dataset of a study with metrics, for the references that the protocols of its studies need."
    runs_plugins = True

    def add_arguments(self, parser: CommandParser) -> None:
        add_protocol_arguments(parser)
        parser.add_argument("--corpus", default="", metavar="FILE[,FILE]", help="captions that metrics are fitted on")
        parser.add_argument(
            "--judgments", default="", metavar="STUDY", help="study whose judgments metrics are fitted on"
        )
        parser.add_argument("--param", action="append", default=[], metavar="METRIC.NAME=VALUE", help="set a parameter")
        parser.add_argument("--device", default="cpu", help="device for neural networks: cpu, cuda, mps (default: cpu)")
        parser.add_argument("--all-systems", action="store_true", help="print the scores of more than ten systems")
        add_json_argument(parser)
        add_confirmation_arguments(parser)
        parser.add_argument("--chunk-size", type=int, default=ScoringOptions().chunk_size, metavar="ROWS")

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            self._score(chosen)
        except UnknownMetric as error:
            raise CommandError(
                f"{error}\nA plugin file is used for studies when it is in {get_folder()}; "
                "`accordance score --candidates FILE --plugin FILE` scores captions of a file with any plugin"
            ) from error

    def _score(self, chosen: Mapping[str, Any]) -> None:
        study = find_study(chosen["study"])
        with ProgressBar() as progress:
            report = score_study(
                study,
                now=timezone.now,
                metrics=split_names(chosen["metrics"]),
                protocol=chosen["protocol"],
                protocol_options=chosen["option"],
                options=read_scoring_options(chosen),
                watch=progress,
                actor=COMMAND_LINE,
                confirmation=read_confirmation(chosen),
            )
        request_default_report(study, now=timezone.now())
        printed = print_report(report, has_all_systems=chosen["all_systems"], is_chosen=bool(chosen["metrics"]))
        self.stdout.write(print_values(report) if chosen["json"] else printed)
        if report.failures:
            raise CommandError("\n".join(f"metric {name}: {reason}" for name, reason in report.failures))

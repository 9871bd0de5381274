"""Print which metrics of a study differ significantly."""

from typing import Any

from django.core.management.base import CommandParser

from correlation.errors import CorrelationInputError
from correlation.protocols.defaults import NONE
from correlation.reports.json_form import print_json
from studies.analysis.comparisons import check_metrics, compare_observations
from studies.analysis.correlations import gather_observations
from studies.management.printing.comparison import print_comparison
from studies.management.printing.results import add_study_arguments, find_study
from studies.management.refusals import ReadingCommand
from studies.management.resampling import add_resampling_arguments, add_test_arguments, read_inference, watch_steps


class Command(ReadingCommand):
    help = "Test which metrics of a study differ significantly: two metrics, or all pairs with compact letters."

    def add_arguments(self, parser: CommandParser) -> None:
        add_study_arguments(parser)
        parser.add_argument("metrics", nargs="*", metavar="METRIC", help="two or more (default: all with scores)")
        add_test_arguments(parser, may_be_none=False)
        parser.add_argument(
            "--ci", default="", metavar="A,B", help="units that the bootstrap resamples, which is the test then"
        )
        add_resampling_arguments(parser, has_tests=True)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        with watch_steps() as watch:
            check_metrics(chosen["metrics"])
            gathered = gather_observations(
                study, protocol=chosen["protocol"], protocol_options=chosen["option"], metrics=chosen["metrics"] or None
            )
            chosen["test"] = chosen["test"] or ("bootstrap" if chosen["ci"] else "")
            if chosen["ci"] and chosen["test"] != "bootstrap":
                raise CorrelationInputError(f"--ci belongs to test 'bootstrap', got --test {chosen['test']}")
            inference = read_inference(chosen | {"method": NONE}, gathered)
            report = compare_observations(
                gathered, request=inference.comparison, seed=chosen["seed"], watch=watch, processes=chosen["processes"]
            )
        self.stdout.write(print_json(report) if chosen["json"] else print_comparison(report))

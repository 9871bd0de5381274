"""Freeze a report under a number."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from studies.analysis.preregistration.deviations import list_planned_metrics
from studies.analysis.reports import report_observations
from studies.management.printing.results import add_protocol_arguments, find_study, gather_chosen
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand
from studies.management.resampling import add_interval_arguments, add_test_arguments, read_inference, watch_steps
from studies.publishing.report_jobs import keep_report


class Command(RefusingCommand):
    help = "Correlate as `correlate` does, with the human ceiling, and freeze the results as a numbered report."

    def add_arguments(self, parser: CommandParser) -> None:
        add_protocol_arguments(parser)
        add_interval_arguments(parser)
        add_test_arguments(parser)
        add_json_argument(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        with watch_steps() as watch:
            if not (chosen["metrics"] or chosen["protocol"] or chosen["option"]):
                chosen = {**chosen, "metrics": ",".join(list_planned_metrics(study))}
            gathered = gather_chosen(study, chosen)
            if not gathered.metrics:
                raise CommandError("no installed metric can score the items of this study: there is nothing to report")
            inference = read_inference(chosen, gathered)
            report = report_observations(
                gathered,
                interval=inference.interval,
                comparison=inference.comparison,
                seed=chosen["seed"],
                watch=watch,
                processes=chosen["processes"],
            )
        kept = keep_report(gathered, report, now=timezone.now())
        name = gathered.study.name
        found = {"study": name, "number": kept.number, "digest": kept.digest}
        told = f"study {name}: report {kept.number}, SHA-256 {kept.digest}"
        self.stdout.write(print_values(found) if chosen["json"] else told)

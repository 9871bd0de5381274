"""Print the expected state of a panel's submissions, and what to do with each."""

from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from correlation.csv_lines import write_csv
from execution.whole_files import PRIVATE, write_whole
from studies.access.audit import record_names
from studies.management.printing.results import find_study
from studies.management.printing.tables import format_table
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand
from studies.monitoring.submissions import DECISION_COLUMNS, SubmissionReport, list_decisions, report_submissions

_HEADER: Final = ("rater", "outcome", "expected", "code", "judgments", "minutes", "advice", "why")


class Command(RefusingCommand):
    help = (
        "Print each submission with its expected state on the panel, its code and time, and which to approve or review."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--identities", type=Path, metavar="FILE", help="write it as CSV with the panel's ids")
        add_json_argument(parser)
        parser.add_argument("--seed", type=int, default=0, help="seed of the permutations (default: %(default)s)")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        report = report_submissions(study, seed=chosen["seed"])
        if chosen["json"]:
            self.stdout.write(print_values(report))
        elif not report.rows:
            self.stdout.write(f"{study.name}: no rater has come from a panel ({report.panel})")
        else:
            self._print_table(report)
        if report.rows and chosen["identities"]:
            try:
                lines = write_csv(DECISION_COLUMNS, list_decisions(study, seed=chosen["seed"]))
                write_whole(chosen["identities"], "".join(lines).encode(), mode=PRIVATE)
                record_names(study, people=len(report.rows), command="panel_report", now=timezone.now())
            except OSError as refusal:
                raise CommandError(str(refusal)) from refusal

    def _print_table(self, report: SubmissionReport) -> None:
        cells = [
            (
                row.rater,
                row.outcome or "-",
                row.expected,
                row.code or "-",
                str(row.n_judgments),
                _print(row.minutes),
                row.advice,
                row.why,
            )
            for row in report.rows
        ]
        self.stdout.write(format_table(_HEADER, cells, n_names=len(_HEADER)))
        for (expected, advice), number in sorted(report.count().items()):
            self.stdout.write(f"{expected}, {advice}: {number}")
        empty = report.list_empty()
        if empty:
            n_coded = sum(bool(row.code) for row in empty)
            self.stdout.write(
                f"WITHOUT ANY JUDGMENT: {len(empty)}, of which {n_coded} were shown a code; do not approve them"
            )


def _print(minutes: float | None) -> str:
    return "-" if minutes is None else f"{minutes:.1f}"

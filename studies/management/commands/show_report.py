"""Print a frozen report, write it as a file, or list all reports."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from correlation.reports.json_form import print_json
from correlation.reports.markdown import print_markdown
from execution.whole_files import write_whole
from studies.analysis.reports import FORMS, check_path
from studies.management.printing.results import find_study
from studies.management.printing.tables import format_table
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import ReadingCommand
from studies.models import FrozenReport
from studies.publishing.freezing import load_report


class Command(ReadingCommand):
    help = "List the frozen reports of a study; with a number, print that report or write it to a file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("number", type=int, nargs="?")
        add_json_argument(parser)
        parser.add_argument("--out", type=Path, metavar="FILE", help=f"a file in {', '.join(FORMS)}")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        if chosen["number"] is None:
            kept = FrozenReport.objects.filter(study=study)
            if chosen["json"]:
                fields = ("number", "made_at", "digest", "stale_reason")
                self.stdout.write(print_values([{name: getattr(one, name) for name in fields} for one in kept]))
                return
            rows = [(str(one.number), f"{one.made_at:%Y-%m-%d}", one.digest[:12], one.stale_reason) for one in kept]
            self.stdout.write(format_table(("report", "made", "sha-256", "stale"), rows, n_names=4))
            return
        frozen, report = load_report(study, chosen["number"])
        if frozen.stale_since:
            self.stderr.write(f"note: stale since {frozen.stale_since:%Y-%m-%d}: {frozen.stale_reason}")
        check_path(chosen["out"])
        if chosen["out"]:
            write_whole(chosen["out"], FORMS[chosen["out"].suffix](report))
        else:
            self.stdout.write(print_json(report) if chosen["json"] else print_markdown(report))

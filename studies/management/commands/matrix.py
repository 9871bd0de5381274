"""Print the benchmark matrix of several studies."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from correlation.reports.matrix_forms import MATRIX_FORMS
from execution.whole_files import write_whole
from studies.management.printing.results import find_study
from studies.management.printing.values import add_json_argument
from studies.management.refusals import ReadingCommand
from studies.models import FrozenReport, Study
from studies.publishing.freezing import find_report
from studies.publishing.report_matrix import find_human_reports, find_newest_reports, make_matrix


class Command(ReadingCommand):
    help = "Print metrics against studies, with the mean rank of each metric, from the frozen reports of studies."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "studies",
            nargs="*",
            metavar="STUDY[:NUMBER]",
            help="columns, by their newest reports unless a number is given (default: all studies of people)",
        )
        add_json_argument(parser)
        parser.add_argument("--out", type=Path, metavar="FILE", help=f"a file in {', '.join(MATRIX_FORMS)}")

    def handle(self, *args: Any, **chosen: Any) -> None:
        path: Path | None = chosen["out"]
        form = ("json" if chosen["json"] else "md") if path is None else path.suffix.removeprefix(".")
        if form not in MATRIX_FORMS:
            raise CommandError(f"a matrix is written as {', '.join(MATRIX_FORMS)}, got {path}")
        names = chosen["studies"]
        reports = [_find(name) for name in names] if names else find_human_reports(Study.objects.all())
        if not reports:
            raise CommandError("no study has a report that is up to date; run: manage.py freeze_report STUDY")
        matrix = make_matrix(reports)
        for column in matrix.columns:
            for caution in column.cautions:
                self.stderr.write(f"caution: {column.name}: {caution}")
        for note in matrix.notes:
            self.stderr.write(f"note: {note}")
        text = MATRIX_FORMS[form](matrix)
        if path is None:
            self.stdout.write(text)
        else:
            write_whole(path, text.encode())


def _find(text: str) -> FrozenReport:
    name, _, number = text.partition(":")
    study = find_study(name)
    if number:
        if not number.isdecimal():
            raise CommandError(f"the number of a report must be an integer, got {text!r}")
        return find_report(study, int(number))
    newest = find_newest_reports([study])
    if not newest:
        raise CommandError(f"study {name} has no report that is up to date; run: manage.py freeze_report {name}")
    return newest[0]

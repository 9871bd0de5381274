"""Write the scores of all metrics, one row per caption, to a file that import_scores reads."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from execution.whole_files import write_whole
from studies.access.audit import COMMAND_LINE
from studies.management.printing.results import find_study
from studies.management.refusals import ReadingCommand
from studies.publishing.exporting.files import SCORE_FORMATS, export_file


class Command(ReadingCommand):
    help = "Write the scores of all metrics, one row per caption, as CSV, JSON Lines, Parquet or for mt-metrics-eval."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        endings = ", ".join(SCORE_FORMATS)
        parser.add_argument("--out", type=Path, metavar="FILE", help=f"ends in {endings} (default: CSV, printed)")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study, out = find_study(chosen["study"]), chosen["out"]
        ending = ".csv" if out is None else out.suffix.lower()
        if ending not in SCORE_FORMATS:
            raise CommandError(f"--out: must end in {', '.join(SCORE_FORMATS)}, got {out.name!r}")
        part, file_format = SCORE_FORMATS[ending]
        export = export_file(study, part=part, file_format=file_format, actor=COMMAND_LINE, now=timezone.now())
        content = b"".join(each.encode() if isinstance(each, str) else each for each in export.parts)
        if out is None:
            self.stdout.write(content.decode(), ending="")
        else:
            write_whole(out, content)

"""Print which captioning systems the raters of a study prefer."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from correlation.comparison.multiple import CORRECTIONS
from execution.whole_files import write_whole
from studies.analysis.systems.files import FORMS, check_path, print_json
from studies.analysis.systems.ranking import rank_study
from studies.management.printing.results import find_study
from studies.management.printing.systems import print_ranking
from studies.management.refusals import ReadingCommand
from studies.management.resampling import add_resampling_arguments


class Command(ReadingCommand):
    help = "Rank the captioning systems of a study by its judgments, with intervals and tests of all pairs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument(
            "--correction",
            choices=CORRECTIONS,
            default="",
            metavar="NAME",
            help=f"{', '.join(CORRECTIONS)} (default: the preregistered one, else holm)",
        )
        add_resampling_arguments(parser)
        parser.add_argument("--out", type=Path, metavar="FILE", help=f"also write a file: {', '.join(FORMS)}")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **chosen: Any) -> None:
        path: Path | None = chosen["out"]
        check_path(path)
        study = find_study(chosen["study"])
        given = {name: chosen[name] for name in ("resamples", "correction", "seed")}
        found = rank_study(study, **given)
        if path is not None:
            write_whole(path, FORMS[path.suffix](found))
        self.stdout.write(print_json(found) if chosen["json"] else print_ranking(found))

"""Print the ranks of metrics under every way to analyse the judgments of a study."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from studies.analysis.multiverse import FORMS, check_path, rank_observations, write_multiverse
from studies.management.printing.multiverse import print_multiverse
from studies.management.printing.results import add_protocol_arguments, find_study, gather_chosen, split_names
from studies.management.printing.values import add_json_argument
from studies.management.refusals import ReadingCommand


class Command(ReadingCommand):
    help = "Print how often each metric ranks first, and which one does under each aggregation, level and coefficient."

    def add_arguments(self, parser: CommandParser) -> None:
        add_protocol_arguments(parser)
        parser.add_argument("--aggregations", default="", metavar="A,B", help="default: all applicable to the study")
        parser.add_argument("--measures", default="", metavar="LEVEL:COEFFICIENT,...", help="default: all")
        add_json_argument(parser)
        parser.add_argument(
            "--out", type=Path, metavar="FILE", help="also write .json, or the figure: .svg, .png, .pdf"
        )

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        check_path(chosen["out"])
        gathered = gather_chosen(study, chosen)
        multiverse = rank_observations(
            gathered, aggregations=split_names(chosen["aggregations"]), measures=split_names(chosen["measures"])
        )
        write_multiverse(multiverse, chosen["out"], title=gathered.study.name)
        if chosen["json"]:
            self.stdout.write(FORMS[".json"](multiverse, gathered.study.name).decode())
            return
        printed = print_multiverse(multiverse, title=gathered.study.name, signature=gathered.protocol.signature)
        self.stdout.write(printed)

"""Print the required size of a study, and its cost."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from studies.analysis.planning import QUESTIONS, Pilot, Prices, make_plan
from studies.management.printing.plan import add_assumptions, print_plan, read_assumptions
from studies.management.printing.results import find_study, split_names
from studies.management.refusals import ReadingCommand
from studies.management.resampling import add_resampling_arguments


class Command(ReadingCommand):
    help = "Print the sample size (images, items or pairs) and cost of a study, from assumptions or from a pilot."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=QUESTIONS, metavar="WHAT", help=", ".join(QUESTIONS))
        parser.add_argument("--pilot", metavar="STUDY", help="study from which to estimate what is not given")
        parser.add_argument("--of", default="", metavar="A,B", help="two metrics, or two systems, of the pilot")
        add_assumptions(parser)
        add_resampling_arguments(parser)
        parser.add_argument(
            "--seconds", type=float, metavar="X", help="time per judgment (default: the median of the pilot)"
        )
        parser.add_argument("--wage", type=float, metavar="X", help="of an hour")
        parser.add_argument("--fee", type=float, default=0.0, metavar="X", help="panel fee as a fraction, such as 0.33")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **chosen: Any) -> None:
        pilot = None
        if chosen["pilot"]:
            pair = tuple(split_names(chosen["of"]))
            pilot = Pilot(find_study(chosen["pilot"]), pair, resamples=chosen["resamples"], seed=chosen["seed"])
        made = make_plan(
            chosen["what"],
            assumptions=read_assumptions(chosen),
            pilot=pilot,
            prices=Prices(seconds=chosen["seconds"], wage=chosen["wage"], fee=chosen["fee"]),
        )
        self.stdout.write(json.dumps(asdict(made), indent=1) if chosen["json"] else print_plan(made))

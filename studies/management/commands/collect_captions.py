"""Turn captions written by raters into candidates."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from studies.datasets.collecting import collect_captions
from studies.management.printing.results import find_study
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = (
        "Turn the captions written in a closed study into candidates. Their authors are recorded and never judge them."
    )
    runs_plugins = True

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument(
            "--system", required=True, metavar="NAME", help="the human system that the candidates belong to"
        )
        add_json_argument(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        done = collect_captions(find_study(chosen["study"]), system=chosen["system"], now=timezone.now())
        told = f"{done.study}: {done.n_new} captions added as candidates of {done.system}, {done.n_known} were before"
        self.stdout.write(print_values(done) if chosen["json"] else told)

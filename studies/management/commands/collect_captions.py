"""Turn the captions that raters wrote into candidates."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from studies.datasets.collecting import CannotCollect, collect_captions
from studies.management.printing.results import find_study


class Command(BaseCommand):
    help = "Make candidates of the captions written in a closed study, each with its author, who never judges it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--system", required=True, metavar="NAME", help="the system of people that they belong to")

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            done = collect_captions(find_study(chosen["study"]), system=chosen["system"], now=timezone.now())
        except CannotCollect as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{done.study}: {done.n_new} captions are candidates of {done.system} now, {done.n_known} were before"
        )

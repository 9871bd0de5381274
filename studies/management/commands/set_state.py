"""Open a study to raters, or close it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from studies.collection.lifecycle import CannotChangeState, close_study, open_study
from studies.management.printing.results import find_study


class Command(BaseCommand):
    help = "Open a study to raters, and print its link, or close it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("state", choices=("open", "closed"))

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        try:
            if chosen["state"] == "open":
                open_study(study, now=timezone.now())
                self.stdout.write(f"study {study.name} is open; raters come by the path /r/{study.join_token}/")
            else:
                close_study(study, now=timezone.now())
                self.stdout.write(f"study {study.name} is closed")
        except CannotChangeState as refusal:
            raise CommandError(str(refusal)) from refusal

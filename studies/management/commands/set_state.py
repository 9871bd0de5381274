"""Open a study to raters, or close it."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from studies.collection.lifecycle import close_study, open_study
from studies.management.printing.results import find_study
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Open a study to raters, and print its link, or close it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("state", choices=("open", "closed"))
        add_json_argument(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        if chosen["state"] == "open":
            open_study(study, now=timezone.now())
            path: str | None = f"/r/{study.join_token}/"
            told = f"study {study.name} is open; the path for raters is {path}"
        else:
            close_study(study, now=timezone.now())
            path = None
            told = f"study {study.name} is closed"
        found = {"study": study.name, "state": chosen["state"], "path": path}
        self.stdout.write(print_values(found) if chosen["json"] else told)

"""Do the work of the background."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    help = "Do the work of the background, until it is ended. `serve` starts it; several may run, on several machines."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", action="store_true", help="do what waits, and end")

    def handle(self, *args: Any, **chosen: Any) -> None:
        call_command("run_jobs", batch=chosen["batch"])

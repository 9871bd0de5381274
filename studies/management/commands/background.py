"""Run background jobs."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from jobs.management.checks import CHECKS_WITHOUT_PAGES


class Command(BaseCommand):
    help = "Run background workers until stopped. `serve` starts one; several may run, also on several machines."
    requires_system_checks = CHECKS_WITHOUT_PAGES

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", action="store_true", help="run waiting jobs, then exit")

    def handle(self, *args: Any, **chosen: Any) -> None:
        call_command("run_jobs", batch=chosen["batch"])

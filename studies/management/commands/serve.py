"""Serve the pages of raters and researchers with several worker processes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from jobs.management.checks import CHECKS_WITHOUT_PAGES
from studies.management.serving import add_address_arguments, prepare_database, serve


class Command(BaseCommand):
    help = "Serve the pages of raters and researchers. Hosts other than localhost must be listed in ALLOWED_HOSTS."
    requires_system_checks = CHECKS_WITHOUT_PAGES

    def add_arguments(self, parser: CommandParser) -> None:
        add_address_arguments(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        prepare_database()
        self.stdout.write(f"Accordance is at http://{chosen['host']}:{chosen['port']}/ (Ctrl-C stops it)")
        self.stdout.flush()
        serve(**{name: chosen[name] for name in ("host", "port", "workers", "background")})

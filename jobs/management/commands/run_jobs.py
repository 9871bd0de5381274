"""Run background jobs, each in a separate process."""

import signal
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection
from django.utils import timezone

from jobs.management.checks import CHECKS_WITHOUT_PAGES
from jobs.worker.dispatching import Dispatcher


class Command(BaseCommand):
    help = "Run background jobs, one per lane at a time. `background` does so for all lanes."
    requires_system_checks = CHECKS_WITHOUT_PAGES

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", action="store_true", help="run waiting jobs, then exit")
        parser.add_argument("--lane", action="append", metavar="NAME", help="only this lane; may be repeated")

    def handle(self, *args: Any, **chosen: Any) -> None:
        _check_database()
        dispatcher = Dispatcher(now=timezone.now, lanes=tuple(chosen["lane"] or ()) or None)
        before = {number: signal.signal(number, dispatcher.stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            dispatcher.run(batch=chosen["batch"])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _check_database() -> None:
    """End the command if the database is a file that is missing or has no tables.

    A worker waits only for a server, which may come back.
    """
    if connection.vendor != "sqlite":
        return
    try:
        tables = connection.introspection.table_names()
    except OperationalError as error:
        raise CommandError(str(error)) from error
    if not tables:
        raise CommandError("the database has no tables: `migrate` makes them")

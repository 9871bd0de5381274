"""Do the work of the background in this process: runs of metrics, checks of plugins."""

import logging
import threading
import time
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, connection
from django.utils import timezone

from studies.domain.scoring_requests.reviving import revive
from studies.management.giving_back import giving_back_when_told

LOOK_SECONDS = 10


class Command(BaseCommand):
    help = "Do the work of the background, until it is ended. `serve` starts it; several may run, on several machines."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", action="store_true", help="do what waits, and end")

    def handle(self, *args: Any, **chosen: Any) -> None:
        revive(now=timezone.now())
        if not chosen["batch"]:
            threading.Thread(target=_revive_for_ever, daemon=True).start()
        quiet = {"verbosity": 0 if chosen["verbosity"] == 1 else chosen["verbosity"]}
        with giving_back_when_told():
            call_command("db_worker", interval=0.5, batch=chosen["batch"], startup_delay=False, reload=False, **quiet)


def _revive_for_ever() -> None:
    """Look again and again for what dead workers left; this worker may be at something long."""
    while True:
        time.sleep(LOOK_SECONDS)
        try:
            revive(now=timezone.now())
        except DatabaseError:
            logging.getLogger(__name__).exception("could not look for work of dead workers")
        finally:
            connection.close()

"""Do the work of the background: jobs in processes of their own, runs of metrics in this one."""

import logging
import os
import subprocess
import sys
import threading
import time
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, connection
from django.utils import timezone

from studies.management.giving_back import giving_back_when_told
from studies.publishing.requeueing import requeue_lost_requests

LOOK_SECONDS = 10
REST_SECONDS = 5


class Command(BaseCommand):
    help = "Do the work of the background, until it is ended. `serve` starts it; several may run, on several machines."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", action="store_true", help="do what waits, and end")

    def handle(self, *args: Any, **chosen: Any) -> None:
        requeue_lost_requests(now=timezone.now())
        if chosen["batch"]:
            call_command("run_jobs", batch=True)
        else:
            threading.Thread(target=_run_jobs_for_ever, daemon=True).start()
            threading.Thread(target=_requeue_for_ever, daemon=True).start()
        quiet = {"verbosity": 0 if chosen["verbosity"] == 1 else chosen["verbosity"]}
        with giving_back_when_told():
            call_command("db_worker", interval=0.5, batch=chosen["batch"], startup_delay=False, reload=False, **quiet)


def _requeue_for_ever() -> None:
    """Look again and again for what dead workers left; this worker may be at something long."""
    while True:
        time.sleep(LOOK_SECONDS)
        try:
            requeue_lost_requests(now=timezone.now())
        except DatabaseError:
            logging.getLogger(__name__).exception("could not look for work of dead workers")
        finally:
            connection.close()


def _run_jobs_for_ever() -> None:
    """Have a process beside this one run the jobs, and start it anew if it ends; it ends with this one."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "run_jobs", "--parent", str(os.getpid())]
    while True:
        # Nothing but our own arguments gets here, and no shell is in between.
        code = subprocess.run(command, check=False).returncode  # noqa: S603
        logging.getLogger(__name__).error("the process that runs jobs ended with exit code %s; starting anew", code)
        time.sleep(REST_SECONDS)

"""Run the jobs of the background, each in a process of its own."""

import signal
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from jobs.dispatching import Dispatcher


class Command(BaseCommand):
    help = "Run the jobs of the background, one of each lane at a time. `background` does it for all lanes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", action="store_true", help="run what waits, and end")
        parser.add_argument("--lane", action="append", metavar="NAME", help="only of this lane; may be repeated")

    def handle(self, *args: Any, **chosen: Any) -> None:
        dispatcher = Dispatcher(now=timezone.now, lanes=tuple(chosen["lane"] or ()) or None)
        before = {number: signal.signal(number, dispatcher.stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            dispatcher.run(batch=chosen["batch"])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

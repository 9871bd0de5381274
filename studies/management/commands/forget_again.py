"""Erase again what was erased before a backup was put back."""

from dataclasses import astuple
from pathlib import Path
from secrets import SystemRandom
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from studies.collection.erasure_log import read_erasures
from studies.collection.forgetting_again import forget_again
from studies.identity_keys import UnknownIdentityKey
from studies.management.printing import format_table


class Command(BaseCommand):
    help = "Erase again, after a restore, who withdrew or was erased since the backup was made. Run it before serving."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--log",
            type=Path,
            action="append",
            metavar="FILE",
            help="a log of erasures; may be repeated (default: that of ACCORDANCE_ERASURES)",
        )

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            log = read_erasures(chosen["log"] or [Path(settings.ACCORDANCE_ERASURES)])
            erased = forget_again(log, now=timezone.now(), rng=SystemRandom())
        except (OSError, ValueError, UnknownIdentityKey) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{len(log)} erasures in the log")
        if not erased:
            self.stdout.write("Nobody who was erased is there")
            return
        rows = [[str(cell) for cell in astuple(one)] for one in erased]
        self.stdout.write(format_table(("study", "withdrawn again", "people erased again"), rows))

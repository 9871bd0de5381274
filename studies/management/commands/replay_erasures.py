"""Repeat erasures after restoring a backup."""

from dataclasses import astuple
from pathlib import Path
from secrets import SystemRandom
from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from studies.collection.privacy.erasure_log import read_erasures
from studies.collection.privacy.erasure_replay import replay_erasures
from studies.identity_keys import UnknownIdentityKey
from studies.management.printing.results import format_table
from studies.management.refusals import RefusingCommand

_HEADERS: Final = ("study", "withdrawn again", "people erased again", "of these unconfirmed")


class Command(RefusingCommand):
    help = "After restoring a backup, repeat the erasures and withdrawals made since the backup. Run it before serving."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--log",
            type=Path,
            action="append",
            metavar="FILE",
            help="a log of erasures; may be repeated (default: that of ACCORDANCE_ERASURES)",
        )

        parser.add_argument(
            "--allow-missing",
            action="store_true",
            help="continue if there is no log, for example if nobody was ever erased",
        )

    def handle(self, *args: Any, **chosen: Any) -> None:
        paths = chosen["log"] or [Path(settings.ACCORDANCE_ERASURES)]
        if chosen["allow_missing"]:
            paths = [path for path in paths if path.exists()]
        try:
            log = read_erasures(paths)
            erased = replay_erasures(log, now=timezone.now(), rng=SystemRandom())
        except (OSError, ValueError, UnknownIdentityKey) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{len(log.by_subject)} erasures in the log, {len(log.unconfirmed)} unconfirmed")
        if erased:
            rows = [[str(cell) for cell in astuple(one)] for one in erased]
            self.stdout.write(format_table(_HEADERS, rows))
        else:
            self.stdout.write("No erased person is in the database")
        if any(one.n_unconfirmed for one in erased):
            self.stdout.write(
                "Unconfirmed: the log does not say that these erasures were completed before. They had been "
                "requested and are done now."
            )
        if log.broken:
            raise CommandError(
                "all other lines were processed, but these name unknown people:\n" + "\n".join(log.broken)
            )

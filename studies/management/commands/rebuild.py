"""Recompute every table of a bundle, and compare it byte by byte."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from studies.datasets.importing.formats import find_owner
from studies.management.refusals import RefusingCommand
from studies.management.resampling import SAME_BYTES, watch_steps
from studies.management.scratch import IN_SCRATCH, run_in_scratch
from studies.publishing.bundles.rebuilding import rebuild_bundle, write_tables


class Command(RefusingCommand):
    help = "Rebuild every table of a bundle in a separate database and compare it byte for byte."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("bundle", type=Path, metavar="FILE")
        parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the tables to this folder")
        parser.add_argument(
            "--keep", default="", metavar="NAME", help="keep the study in this database under this name"
        )
        parser.add_argument("--owner", default="", metavar="USERNAME", help="owner of the study that is kept")
        parser.add_argument("--processes", type=int, default=1, metavar="N", help=SAME_BYTES)

    def handle(self, *args: Any, **chosen: Any) -> None:
        path, out, keep = chosen["bundle"].absolute(), chosen["out"], chosen["keep"]
        if not keep and IN_SCRATCH not in os.environ:
            given = ["--out", str(out.absolute())] if out else []
            if run_in_scratch(["rebuild", str(path), *given, "--processes", str(chosen["processes"])]):
                raise CommandError("the bundle was not rebuilt; see above")
            return
        owner = find_owner(chosen["owner"]) if chosen["owner"] else None
        with watch_steps() as watch:
            rebuilt = rebuild_bundle(
                path, now=timezone.now(), keep=keep, owner=owner, watch=watch, processes=chosen["processes"]
            )
        written = write_tables(rebuilt, out) if out else ()
        same = f"{len(rebuilt.tables)} tables are identical byte for byte"
        kept = f", kept as study {keep}" if keep else ""
        self.stdout.write(
            "\n".join([f"study {rebuilt.study}, report {rebuilt.number}: {same}{kept}", *map(str, written)])
        )

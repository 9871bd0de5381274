"""Write a frozen report with all of its data as one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from studies.management.printing.results import find_study
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand
from studies.publishing.bundles.making import make_bundle


class Command(RefusingCommand):
    help = "Write a frozen report with its design, items, judgments (by pseudonym) and scores to one file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("number", type=int)
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .zip")
        add_json_argument(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        digest = make_bundle(study, chosen["number"], path=chosen["out"])
        size = chosen["out"].stat().st_size
        found = {"file": str(chosen["out"]), "bytes": size, "digest": digest}
        told = f"{chosen['out']}: {size:,} bytes, SHA-256 of its manifest {digest}"
        self.stdout.write(print_values(found) if chosen["json"] else told)

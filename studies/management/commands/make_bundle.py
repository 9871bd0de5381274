"""Write a frozen report, with everything that it was made from, as one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from studies.management.printing.results import find_study
from studies.publishing.bundles.errors import BundleRefused
from studies.publishing.bundles.making import make_bundle
from studies.publishing.freezing import UnknownReport


class Command(BaseCommand):
    help = "Write a frozen report with its design, items, judgments (by pseudonym) and scores as one file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("number", type=int)
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .zip")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        try:
            digest = make_bundle(study, chosen["number"], path=chosen["out"])
        except (UnknownReport, BundleRefused) as refusal:
            raise CommandError(str(refusal)) from refusal
        size = chosen["out"].stat().st_size
        self.stdout.write(f"{chosen['out']}: {size:,} bytes, SHA-256 of its manifest {digest}")

"""Remove metadata from stored images."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from studies.datasets.metadata_removal import strip_pictures
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = (
        "Remove metadata (written by cameras or programs) from all stored images and thumbnails. If interrupted, "
        "run it again to continue."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail if any image has metadata")

    def handle(self, *args: Any, **chosen: Any) -> None:
        found = strip_pictures(changes=not chosen["check"])
        for reason in found.refused:
            self.stderr.write(reason)
        done = "have metadata" if chosen["check"] else "had metadata and were stripped"
        told = f"{found.n_images} images with files, of which {found.n_stripped} {done}"
        if found.refused:
            raise CommandError(f"{told}; {len(found.refused)} were not changed, for the reasons above")
        if chosen["check"] and found.n_stripped:
            raise CommandError(told)
        self.stdout.write(told)

"""Take metadata out of stored images."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from studies.datasets.stripping import strip_pictures


class Command(BaseCommand):
    help = (
        "Take out of every stored image, and of its thumbnail, what a camera or a program wrote beside its pixels. "
        "Broken off, it goes on when it is run again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail if anything is to go")

    def handle(self, *args: Any, **chosen: Any) -> None:
        found = strip_pictures(changes=not chosen["check"])
        for reason in found.refused:
            self.stderr.write(reason)
        done = "have metadata" if chosen["check"] else "had metadata and were stripped"
        told = f"{found.n_images} images with files, of which {found.n_stripped} {done}"
        if found.refused:
            raise CommandError(f"{told}; {len(found.refused)} are as they were, for the reasons above")
        if chosen["check"] and found.n_stripped:
            raise CommandError(told)
        self.stdout.write(told)

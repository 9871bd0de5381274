"""Download the public keys with which the signatures of Prolific are checked."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from annotation_ui.channels.prolific_keys import ADDRESS, fetch_keys
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Fetch and store the keys with which Prolific signs URLs; run it daily, because Prolific changes them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", default=ADDRESS, help="default: %(default)s")

    def handle(self, *args: Any, **chosen: Any) -> None:
        url, path = chosen["url"], Path(settings.ACCORDANCE_PROLIFIC_KEYS)
        if not url.startswith(("https://", "http://127.0.0.1")):
            raise CommandError(f"--url must begin with https://, got {url!r}")
        self.stdout.write(f"{fetch_keys(path, url=url)} keys in {path}")

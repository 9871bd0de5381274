"""Download the public keys with which the signatures of Prolific are checked."""

from pathlib import Path
from typing import Any, Final
from urllib.error import URLError
from urllib.request import urlopen

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation_ui.channels.signing import read_keys

ADDRESS: Final = "https://api.prolific.com/.well-known/study/jwks.json"
_SECONDS: Final = 30
_LARGEST: Final = 1_000_000


class Command(BaseCommand):
    help = "Fetch and store the keys with which Prolific signs URLs; run it daily, because Prolific changes them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", default=ADDRESS, help="default: %(default)s")

    def handle(self, *args: Any, **chosen: Any) -> None:
        url, path = chosen["url"], Path(settings.ACCORDANCE_PROLIFIC_KEYS)
        if not url.startswith(("https://", "http://127.0.0.1")):
            raise CommandError(f"--url must begin with https://, got {url!r}")
        try:
            with urlopen(url, timeout=_SECONDS) as answer:  # noqa: S310 - https, by the operator
                text = answer.read(_LARGEST).decode()
            keys = read_keys(text)
        except (URLError, OSError, ValueError) as refusal:
            raise CommandError(f"{url}: {refusal}; the existing keys are kept") from refusal
        path.parent.mkdir(parents=True, exist_ok=True)
        # Replace the file atomically, so that other processes read either the old or the new one.
        unfinished = path.with_suffix(".part")
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
        self.stdout.write(f"{len(keys)} keys in {path}")

"""Write personal data anew under a new key."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from studies.collection.privacy.rekeying import CHUNK, DuplicateIdentities, rotate_identity_key
from studies.identity_keys import UnknownIdentityKey


class Command(BaseCommand):
    help = (
        "Encrypt and hash who raters are with ACCORDANCE_IDENTITY_KEY, where that was done with one of "
        "ACCORDANCE_IDENTITY_KEY_FALLBACKS. Broken off, it goes on when it is run again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--chunk", type=int, default=CHUNK, metavar="N", help="rows a transaction; %(default)s")

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            done = rotate_identity_key(chunk=max(1, chosen["chunk"]))
        except (UnknownIdentityKey, DuplicateIdentities) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"{done.n_identities} identities, {done.n_links} links to them, {done.n_visits} visits and "
            f"{done.n_invitations} invitations were under an old key and are under the new one"
        )
        if settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS:
            self.stdout.write(
                "Nothing is under an old key any more: take ACCORDANCE_IDENTITY_KEY_FALLBACKS out of the settings and "
                "restart, but keep the old key with the backups that were made under it."
            )

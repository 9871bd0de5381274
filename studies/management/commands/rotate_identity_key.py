"""Encrypt personal data with a new key."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from studies.collection.privacy.key_rotation import CHUNK, DuplicateIdentities, rotate_identity_key
from studies.identity_keys import UnknownIdentityKey
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = (
        "Re-encrypt the identities of raters with ACCORDANCE_IDENTITY_KEY where one of "
        "ACCORDANCE_IDENTITY_KEY_FALLBACKS was used. If interrupted, run it again to continue."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--chunk", type=int, default=CHUNK, metavar="N", help="rows per transaction (default: %(default)s)"
        )

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            done = rotate_identity_key(chunk=max(1, chosen["chunk"]))
        except (UnknownIdentityKey, DuplicateIdentities) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"{done.n_identities} identities, {done.n_links} links to them, {done.n_visits} visits and "
            f"{done.n_invitations} invitations were encrypted with an old key and now use the new one"
        )
        if settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS:
            self.stdout.write(
                "No data uses an old key any more: remove ACCORDANCE_IDENTITY_KEY_FALLBACKS from the settings and "
                "restart, but keep the old key with the backups that use it."
            )

"""What `check --deploy` says of the key of identities, which is all that keeps a backup from naming raters."""

import os
from typing import Any, Final

from django.conf import settings
from django.core import checks

SHORTEST: Final = 32
FEWEST_LETTERS: Final = 12
_HINT: Final = 'Make one: python3 -c "import secrets; print(secrets.token_urlsafe(48))"'


@checks.register(checks.Tags.security, deploy=True)
def check_identity_key(**_: Any) -> list[checks.CheckMessage]:
    """Warn of a key that can be guessed, that is another secret too, or that lies where backups are made of."""
    key, older = settings.ACCORDANCE_IDENTITY_KEY, settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS
    found: list[checks.CheckMessage] = []
    if len(key) < SHORTEST or len(set(key)) < FEWEST_LETTERS or "CHANGE-ME" in key:
        said = f"ACCORDANCE_IDENTITY_KEY must be random, with {SHORTEST} letters, {FEWEST_LETTERS} of them different."
        found.append(checks.Warning(said, hint=_HINT, id="accordance.W001"))
    if key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS, *older):
        said = "ACCORDANCE_IDENTITY_KEY is also SECRET_KEY or one of the keys that it takes the place of."
        found.append(checks.Warning(said, hint=_HINT, id="accordance.W002"))
    if not os.environ.get("ACCORDANCE_IDENTITY_KEY"):
        said = "ACCORDANCE_IDENTITY_KEY is in a file beside the data: whoever has a backup of that folder has the key."
        hint = "Set it in the environment, and delete identity_key from ACCORDANCE_VAR and from backups."
        found.append(checks.Warning(said, hint=hint, id="accordance.W003"))
    if older:
        said = "ACCORDANCE_IDENTITY_KEY_FALLBACKS is set: old keys still read what they wrote."
        hint = "Run rotate_identity_key, and take the setting out again."
        found.append(checks.Warning(said, hint=hint, id="accordance.W004"))
    return found

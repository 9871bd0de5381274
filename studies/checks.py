"""What `check --deploy` says of personal data: the key that encrypts who raters are, and the log of erasures."""

import os
from pathlib import Path
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


@checks.register(checks.Tags.security, deploy=True)
def check_erasure_log(**_: Any) -> list[checks.CheckMessage]:
    """Warn of a log of erasures that cannot be written, so that nobody can withdraw, or whose location nobody chose."""
    path = Path(settings.ACCORDANCE_ERASURES)
    existing = path if path.exists() else next(one for one in path.absolute().parents if one.exists())
    if path.is_dir() or not os.access(existing, os.W_OK):
        said = f"ACCORDANCE_ERASURES cannot be written here: {path}"
        hint = "Let the user that the server runs as write it; until then every withdrawal and erasure is refused."
        return [checks.Error(said, hint=hint, id="accordance.E001")]
    if not os.environ.get("ACCORDANCE_ERASURES"):
        said = "ACCORDANCE_ERASURES is not set: the log of erasures lies beside the data, and is lost with them."
        hint = "Set it in the environment, if possible to a file on another disk than the database."
        return [checks.Warning(said, hint=hint, id="accordance.W005")]
    return []

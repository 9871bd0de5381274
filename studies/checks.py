"""Checks in `check --deploy`: the encryption key of identities, the erasure log, and what several servers share."""

import os
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core import checks

SHORTEST: Final = 32
FEWEST_LETTERS: Final = 12
_HINT: Final = 'Create one: python3 -c "import secrets; print(secrets.token_urlsafe(48))"'


@checks.register(checks.Tags.security, deploy=True)
def check_identity_key(**_: Any) -> list[checks.CheckMessage]:
    """Warn if the key can be guessed, is also used as another secret, or is in a folder that is backed up."""
    key, older = settings.ACCORDANCE_IDENTITY_KEY, settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS
    found: list[checks.CheckMessage] = []
    if len(key) < SHORTEST or len(set(key)) < FEWEST_LETTERS or "CHANGE-ME" in key:
        said = (
            f"ACCORDANCE_IDENTITY_KEY must be random: {SHORTEST} characters or more, {FEWEST_LETTERS} different ones."
        )
        found.append(checks.Warning(said, hint=_HINT, id="accordance.W001"))
    if key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS, *older):
        said = "ACCORDANCE_IDENTITY_KEY is the same as SECRET_KEY or as one of the keys that it replaces."
        found.append(checks.Warning(said, hint=_HINT, id="accordance.W002"))
    if not os.environ.get("ACCORDANCE_IDENTITY_KEY"):
        said = "ACCORDANCE_IDENTITY_KEY is in a file next to the data: anyone with a backup of the folder has the key."
        hint = "Set it in the environment, and delete identity_key from ACCORDANCE_VAR and from backups."
        found.append(checks.Warning(said, hint=hint, id="accordance.W003"))
    if older:
        said = "ACCORDANCE_IDENTITY_KEY_FALLBACKS is set: old keys can still decrypt data."
        hint = "Run rotate_identity_key, then remove the setting."
        found.append(checks.Warning(said, hint=hint, id="accordance.W004"))
    return found


@checks.register(checks.Tags.security, deploy=True)
def check_erasure_log(**_: Any) -> list[checks.CheckMessage]:
    """Warn if the erasure log cannot be written, so that nobody can withdraw, or if its path is the default."""
    path = Path(settings.ACCORDANCE_ERASURES)
    existing = path if path.exists() else next(one for one in path.absolute().parents if one.exists())
    if path.is_dir() or not os.access(existing, os.W_OK):
        said = f"ACCORDANCE_ERASURES cannot be written here: {path}"
        hint = "Make it writable for the server's user; until then all withdrawals and erasures are refused."
        return [checks.Error(said, hint=hint, id="accordance.E001")]
    if not os.environ.get("ACCORDANCE_ERASURES"):
        said = "ACCORDANCE_ERASURES is not set: the log of erasures is stored next to the data and can be lost with it."
        hint = "Set it in the environment, if possible to a file on a different disk than the database."
        return [checks.Warning(said, hint=hint, id="accordance.W005")]
    return []


@checks.register(checks.Tags.security, deploy=True)
def check_shared_services(**_: Any) -> list[checks.CheckMessage]:
    """Warn of what several servers would each have for themselves, if a setting says that there are several."""
    has_store, has_redis = bool(settings.ACCORDANCE_STORAGE), bool(settings.ACCORDANCE_REDIS)
    if not (has_store or has_redis):
        return []
    found: list[checks.CheckMessage] = []
    if not has_store:
        said = "ACCORDANCE_REDIS is set, but not ACCORDANCE_STORAGE: images and uploads are in folders of each server."
        hint = "Name an object store, unless all servers have ACCORDANCE_VAR on the same shared disk."
        found.append(checks.Warning(said, hint=hint, id="accordance.W006"))
    if not has_redis:
        said = "ACCORDANCE_STORAGE is set, but not ACCORDANCE_REDIS: each server has its own limits and cache."
        found.append(checks.Warning(said, id="accordance.W007"))
    if not os.environ.get("SECRET_KEY"):
        said = "SECRET_KEY is not set: each server creates another one, and does not accept the sessions of the others."
        found.append(checks.Error(said, hint=_HINT, id="accordance.E002"))
    if settings.DATABASES["default"]["ENGINE"].startswith("config.sqlite"):
        said = "Several servers cannot share an SQLite database: set DATABASE_URL to a PostgreSQL server."
        found.append(checks.Error(said, id="accordance.E003"))
    return found

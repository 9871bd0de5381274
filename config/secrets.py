"""Secrets of the installation that are not in the environment, generated once and stored in private files."""

import os
import secrets
import tempfile
from functools import partial
from pathlib import Path
from typing import cast

from django.utils.functional import SimpleLazyObject


def find_secret(given: str, *, path: Path) -> str:
    """Return the secret that is given, or if it is empty that of a file, which is read or created on first use.

    Settings are loaded by every command, and one that fails or only reads must not leave secrets in the folder where it
    was run.
    """
    return given or cast("str", SimpleLazyObject(partial(read_or_make_secret, path)))


def read_or_make_secret(path: Path) -> str:
    """Return the secret in a file, which is created with mode 0600 if it does not exist.

    Losing the file logs everybody out, or makes the identities of raters unreadable, so it should be backed up, but
    separately from the database, or whoever has the backup can decrypt them.

    Raises:
        ValueError: The file is empty; generating a new secret could hide that the old one was lost.
    """
    if not path.exists():
        _make_secret(path)
    secret = path.read_text().strip()
    if not secret:
        raise ValueError(f"{path} must hold a secret, got an empty file: put it back from the backup or delete it")
    return secret


def _make_secret(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written under a temporary, private name and linked, which only one of several processes can do, so that no process
    # ever reads an incomplete file.
    descriptor, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        os.link(unfinished, path)
    except FileExistsError:
        pass
    finally:
        Path(unfinished).unlink()

"""Secrets of this installation: from the environment, else made once and kept in a private file."""

import os
import secrets
import tempfile
from pathlib import Path


def read_or_make_secret(path: Path) -> str:
    """Return the secret kept in a file, which is made with mode 0600 if it is not there.

    Losing the file logs everybody out, or makes it impossible to read who raters are, so it belongs in a backup; in
    another one than the database, or whoever has that backup can read it too.

    Raises:
        ValueError: The file is empty; a new secret in its place could hide that the old one is lost.
    """
    if not path.exists():
        _make_secret(path)
    secret = path.read_text().strip()
    if not secret:
        raise ValueError(f"{path} must hold a secret, got an empty file: put it back from the backup or delete it")
    return secret


def _make_secret(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Whole before it has its name, which only one process can give: others that start at the same moment, or after
    # a crash, never find half of it. Temporary files are private from the start.
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

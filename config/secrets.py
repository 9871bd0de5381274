"""Secrets of this installation: from the environment, else made once and kept in a private file."""

import secrets
from pathlib import Path


def read_or_make_secret(path: Path) -> str:
    """Return the secret kept in a file, which is made with mode 0600 if it is not there.

    Losing the file logs everybody out and makes rater identities unrecognisable, so it belongs in a backup.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = path.open("x")
    except FileExistsError:
        return path.read_text().strip()
    with descriptor:
        path.chmod(0o600)
        secret = secrets.token_urlsafe(48)
        descriptor.write(secret)
    return secret
